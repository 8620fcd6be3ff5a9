#!/bin/bash
# The systemd unit, started by systemd: ready, confined, photos looked at, killed and there again, stopped.
#
# usage: check-unit.sh VETNET MODELS UNIT     (as root; systemd, curl, iproute2 and python3 installed, none running)
#
# systemd becomes the first process of namespaces of its own, without a network, over a copy of this system that is thrown away: nothing that is written
# there, or that its start-up would tidy away, is this machine's.
set -euo pipefail

# --- outside: the throw-away system ---------------------------------------------------------------------------------------------------
if [ "${1:-}" != --root ] && [ "${1:-}" != --inside ]; then
  vetnet=$(realpath "$1") models=$(realpath "$2") unit=$(realpath "$3")
  # What systemd doesn't know it leaves out, with a warning.
  unknown=$(systemd-analyze verify "$unit" 2>&1 | grep -i "unknown" || true)
  [ -z "$unknown" ] || { echo "$unknown" >&2; exit 1; }
  scratch=$(mktemp -d)
  trap 'rm -rf --one-file-system "$scratch"' EXIT
  timeout 180 unshare --mount --pid --net --fork "$0" --root "$scratch" "$vetnet" "$models" "$unit" || true
  cat "$scratch/said"
  grep -q "^The unit holds\.$" "$scratch/said" && exit 0
  for log in "$scratch"/*.log; do tail -n 20 "$log" >&2; done
  exit 1
fi

# --- in the namespace: mounts, and systemd as its first process ------------------------------------------------------------------------
if [ "$1" = --root ]; then
  scratch=$2 vetnet=$3 models=$4 unit=$5
  mount --make-rprivate /
  ip link set lo up
  mkdir "$scratch/layers" && mount -t tmpfs -o size=2g tmpfs "$scratch/layers"
  mkdir "$scratch"/layers/{upper,work,root}
  root=$scratch/layers/root
  mount -t overlay overlay -o "lowerdir=/,upperdir=$scratch/layers/upper,workdir=$scratch/layers/work" "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  for place in tmp run var/tmp var/lib/private etc/systemd/system; do
    mkdir -p "$root/$place" && mount -t tmpfs tmpfs "$root/$place"
  done
  chmod 1777 "$root/tmp" "$root/var/tmp"
  chmod 0700 "$root/var/lib/private"
  mkdir -p "$root/run/lock" "$root/usr/share/vetnet" "$root/run/said"
  mount --bind "$scratch" "$root/run/said"
  cp "$0" "$root/run/check-unit.sh"
  install -m 755 "$vetnet" "$root/usr/bin/vetnet"
  rm -rf "$root/usr/share/vetnet/Models" && cp -R "$models" "$root/usr/share/vetnet/Models"
  units=$root/etc/systemd/system
  install -m 644 "$unit" "$units/vetnet.service"
  mkdir "$units/vetnet.service.d"
  # Nothing of this system is started beside it.
  printf '[Unit]\nDefaultDependencies=no\n[Service]\nStandardOutput=file:/run/said/served.log\nStandardError=inherit\n' \
    >"$units/vetnet.service.d/check.conf"
  # The same confinement around one command.
  sed -e 's/^Type=.*/Type=oneshot/' -e '/^NotifyAccess/d' -e '/^Restart/d' \
    -e 's|^ExecStart=.*|ExecStart=/usr/bin/vetnet photo add /run/picture.png --patient P1 --practice /var/lib/vetnet/oak.vetnet|' \
    -e 's/^\[Unit\]/[Unit]\nDefaultDependencies=no/' -e 's|^\[Service\]|[Service]\nStandardOutput=file:/run/said/photo.log\nStandardError=inherit|' \
    "$unit" >"$units/photo.service"
  sed -e 's|^ExecStart=.*|ExecStart=/usr/bin/vetnet doctor --practice /var/lib/vetnet/oak.vetnet|' -e 's|photo.log|doctor.log|' \
    "$units/photo.service" >"$units/doctor.service"
  printf '[Unit]\nDefaultDependencies=no\n[Service]\nType=oneshot\nExecStart=/bin/bash /run/check-unit.sh --inside\nStandardOutput=file:/run/said/said\nStandardError=inherit\n' \
    >"$units/check.service"
  printf '[Unit]\nDefaultDependencies=no\nWants=check.service\n' >"$units/check.target"
  exec chroot "$root" /usr/bin/env -i container=check PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    /lib/systemd/systemd --system --unit=check.target --log-target=console --show-status=no >"$scratch/systemd.log" 2>&1
fi

# --- inside: what is expected of the unit ------------------------------------------------------------------------------------------------
trap 'systemctl --force exit' EXIT
ready() { for _ in $(seq 60); do curl -sf -m 2 http://127.0.0.1:8417/readyz >/dev/null && return 0; sleep 0.5; done; echo "not ready" >&2; return 1; }
shown() { systemctl show vetnet --property "$1" --value; }
files=/var/lib/private/vetnet
mkdir -p "$files"
vetnet init --practice "$files/oak.vetnet" --name Oak --time-zone Europe/London >/dev/null 2>&1
echo '{"id":"P1","name":"Biscuit","species":"dog"}' >/run/patients.jsonl
vetnet import /run/patients.jsonl --practice "$files/oak.vetnet" >/dev/null
python3 - <<'PICTURE'
import struct, zlib
def part(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes((x * 7 + y * 3) % 256 for x in range(300) for _ in range(3)) for y in range(200))
open("/run/picture.png", "wb").write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", 300, 200, 8, 2, 0, 0, 0)) + part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))
PICTURE

systemctl start vetnet
ready
echo "It is ready when systemd says so, as nobody special, without rights, over files of its own:"
process=$(shown MainPID)
awk '/^(Uid|NoNewPrivs|Seccomp):/ { print "  " $1, $2 } /^CapEff:/ { print "  " $1, $2 }' "/proc/$process/status"
[ "$(awk '/^Uid:/ { print $2 }' "/proc/$process/status")" != 0 ]
[ "$(awk '/^NoNewPrivs:/ { print $2 }' "/proc/$process/status")" = 1 ]
[ "$(awk '/^Seccomp:/ { print $2 }' "/proc/$process/status")" = 2 ]
[ "$(awk '/^CapEff:/ { print $2 }' "/proc/$process/status")" = 0000000000000000 ]
[ "$(stat -c %u "$files/oak.vetnet")" = "$(awk '/^Uid:/ { print $2 }' "/proc/$process/status")" ]
curl -sf -m 5 http://127.0.0.1:8417/ | grep -qi "<html"

systemctl kill --signal KILL vetnet
sleep 3
ready
[ "$(shown MainPID)" != "$process" ] && [ "$(shown NRestarts)" = 1 ]
echo "Killed, it is started again."

systemctl stop vetnet
[ "$(shown Result)" = success ] && [ "$(shown ExecMainStatus)" = 0 ]
echo "Stopped, it drains and ends with success."

systemctl start photo
systemctl start doctor
# What the program finds by trying is what it finds without the unit: the same is shut off, by whatever this kernel has.
vetnet doctor --practice "$files/oak.vetnet" >/run/said/doctor-free.log 2>&1 || true
shut() { grep -Eo "Landlock [0-9]+|no Landlock" "$1" | tail -1; }
[ "$(shut /run/said/doctor.log)" = "$(shut /run/said/doctor-free.log)" ] || { echo "the unit takes Landlock away" >&2; exit 1; }
echo "It keeps itself from other files as it does without the unit: $(shut /run/said/doctor.log)."
echo "Confined so, a picture is still looked at in a process of its own."
echo "The unit holds."
