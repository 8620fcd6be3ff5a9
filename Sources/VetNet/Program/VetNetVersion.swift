/// The version of the program, as `vetnet --version`, reports and assessments name it.
public enum VetNetVersion {
  public static let current = "0.1.0"
}
