print("vetnet")
