#!/bin/bash
# The container file, built and run by podman: what it demands, that it is ready, as whom it runs, and how it ends.
#
# usage: check-container.sh PACKAGE CONTAINERFILE SUITE ARCHIVE     (as root; podman, debootstrap, openssl and curl installed)
#
# PODMAN may name podman with options of this machine ("podman --runtime=runc"). The base image is made from Debian's archive, under the name
# that the container file has for it, so that no registry is asked. Images and volumes are this run's, and go with it.
set -euo pipefail
package=$1 file=$2 suite=$3 archive=$4
scratch=$(mktemp -d)
podman=(${PODMAN:-podman} --root "$scratch/storage" --runroot "$scratch/run" --storage-driver=vfs --cgroup-manager=cgroupfs)
here=(--network=host --ulimit nofile=4096:4096 --ulimit nproc=4096:4096)
finish() {
  "${podman[@]}" rm --all --force >/dev/null 2>&1 || true
  rm -rf --one-file-system "$scratch"
}
trap finish EXIT

mkdir -p "$scratch/debian" "$scratch/context/.build/package" "$scratch/tls"
debootstrap --variant=minbase "$suite" "$scratch/debian" "$archive" >"$scratch/log" 2>&1 || { tail -5 "$scratch/log" >&2; exit 1; }
base=$(sed -n 's/^FROM //p' "$file")
tar -C "$scratch/debian" -c . | "${podman[@]}" import - "$base" >/dev/null 2>&1
cp "$package" "$scratch/context/.build/package/"
"${podman[@]}" build --network=host --isolation=chroot -q -f "$file" -t vetnet "$scratch/context" >"$scratch/log" 2>&1 || { tail -20 "$scratch/log" >&2; exit 1; }
echo "The image is built from the container file, on Debian $suite."

status=0
"${podman[@]}" run --rm "${here[@]}" vetnet >"$scratch/refused" 2>&1 || status=$?
grep -q "needs TLS" "$scratch/refused" && [ $status = 15 ]
echo "Without TLS and users it says what it needs, and ends."

# As the head of the container file says.
inside() { "${podman[@]}" run --rm --interactive "${here[@]}" -v practices:/var/lib/vetnet --entrypoint /usr/bin/vetnet vetnet "$@"; }
inside init --practice /var/lib/vetnet/group.vetnet --name "Oak Group" >/dev/null 2>&1
echo "correct horse battery staple" | inside user add ann --role administrator --new-passphrase-file /dev/stdin --practice /var/lib/vetnet/group.vetnet >/dev/null 2>&1
inside init --practice /var/lib/vetnet/north.vetnet --name North >/dev/null 2>&1
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=desk.practice.lan -addext subjectAltName=DNS:desk.practice.lan \
  -keyout "$scratch/tls/desk.key" -out "$scratch/tls/desk.pem" 2>/dev/null
chown -R 990 "$scratch/tls" && chmod 0600 "$scratch/tls/desk.key"
"${podman[@]}" run --name served "${here[@]}" -v practices:/var/lib/vetnet -v "$scratch/tls:/tls:ro" vetnet \
  --tls-cert /tls/desk.pem --tls-key /tls/desk.key --host desk.practice.lan >"$scratch/served" 2>&1 &
asked() { curl -s -m 3 --cacert "$scratch/tls/desk.pem" --resolve desk.practice.lan:8417:127.0.0.1 -o /dev/null -w '%{http_code}' "https://desk.practice.lan:8417$1" || true; }
for _ in $(seq 60); do [ "$(asked /readyz)" = 200 ] && break; sleep 0.5; done
[ "$(asked /readyz)" = 200 ] || { tail -5 "$scratch/served" >&2; exit 1; }
"${podman[@]}" exec served /usr/bin/env sh -c 'test "$(id -u)" = 990 && test "$(stat -c %a /var/lib/vetnet)" = 700'
[ "$(asked /p/north/)" != 200 ]
echo "With them it is ready, as nobody special, and shows a practice to nobody who hasn't signed in."

"${podman[@]}" stop --time 40 served >/dev/null 2>&1
wait %1 || true
[ "$("${podman[@]}" inspect --format '{{.State.ExitCode}}' served)" = 0 ]
echo "Stopped, it drains and ends with success."
echo "The container holds."
