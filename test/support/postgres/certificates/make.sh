#!/usr/bin/env bash
# Makes the certificates in this folder again: openssl 3, no network. README.md says what each is for.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/issued"
touch "$work/index"
echo 01 > "$work/serial"
cat > "$work/ca.conf" <<EOF
[ca]
default_ca = tests
[tests]
database = $work/index
serial = $work/serial
new_certs_dir = $work/issued
default_md = sha256
policy = any
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
EOF

key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1"; }

key "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -subj "/CN=mementor tests" -days 36500 -out ca.pem
key server.key

# name, names of the host, start, end
issue() {
  openssl req -new -key server.key -subj "/CN=$1" -addext "subjectAltName=$2" -out "$work/$1.csr"
  openssl ca -batch -notext -config "$work/ca.conf" -cert ca.pem -keyfile "$work/ca.key" \
    -startdate "$3" -enddate "$4" -in "$work/$1.csr" -out "$1.pem"
}
issue good "DNS:localhost,IP:127.0.0.1,IP:::1" 20200101000000Z 21200101000000Z
issue other-host "DNS:db.other.example,IP:127.0.0.99" 20200101000000Z 21200101000000Z
issue expired "DNS:localhost,IP:127.0.0.1,IP:::1" 20200101000000Z 20200102000000Z
openssl req -x509 -new -key server.key -subj "/CN=self-signed" -addext "subjectAltName=DNS:localhost,IP:127.0.0.1" \
  -days 36500 -out self-signed.pem
