#!/usr/bin/env bash
# fetch.sh DIR NAME: lays out one system in DIR/NAME, from the mirrors that apt and pip are set to. Nothing is installed on this machine.
set -eu
dir=$1
name=$2
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
  sed -nE 's/^(URIs:|deb( \[[^]]*\])?) +(https?:\/\/[^ ]+\/debian)\/?( .*)?$/\3/p' | head -1)
: "${mirror:?apt is set to no mirror of Debian}"
cd "$dir"
rm -rf "${dir:?}/$name"

# A private apt for a release of Debian, which knows two architectures.
apt_of() {
  local a=$dir/apt-$1
  if [ ! -e "$a/ready" ]; then
    mkdir -p "$a/lists/partial" "$a/cache/archives/partial" "$a/state"
    touch "$a/status"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1 main" >"$a/sources.list"
    cat >"$a/apt.conf" <<CONF
Dir::Etc::sourcelist "$a/sources.list";
Dir::Etc::sourceparts "-";
Dir::State "$a/state";
Dir::State::lists "$a/lists";
Dir::State::status "$a/status";
Dir::Cache "$a/cache";
APT::Architectures {"amd64"; "arm64";};
APT::Sandbox::User "root";
Acquire::Check-Valid-Until "false";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
CONF
    APT_CONFIG=$a/apt.conf apt-get -qq update
    touch "$a/ready"
  fi
  echo "$a/apt.conf"
}

# get SUITE DIRECTORY PACKAGE...: unpacks packages.
get() {
  local conf into=$2 d
  conf=$(apt_of "$1")
  shift 2
  d=$(mktemp -d "$dir/debs-XXXX")
  (cd "$d" && APT_CONFIG=$conf apt-get -qq download "$@")
  mkdir -p "$into"
  for f in "$d"/*.deb; do dpkg -x "$f" "$into"; done
  rm -r "$d"
}

# QEMU before 8.2 shows this machine's processor, and ONNX Runtime crashes where it finds no ARM in it.
arm_processor() {
  mkdir -p "$1/proc"
  for i in 0 1; do
    printf 'processor\t: %d\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc dcpop asimddp ssbs\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n\n' "$i"
  done >"$1/proc/cpuinfo"
}

# musl_of ARCH-OF-DEBIAN ARCH: Debian has no libstdc++ for musl; a wheel for musl brings that of Alpine. musl before 1.2.5 cannot load it.
musl_of() {
  local w
  get trixie "$name" "musl:$1"
  w=$(mktemp -d "$dir/wheel-XXXX")
  python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary=:all: --platform "musllinux_1_2_$2" \
    --python-version 312 --implementation cp -d "$w" pyzmq==27.3.0
  python3 -m zipfile -e "$w"/*.whl "$w/all"
  mkdir -p "$name/lib" "$name/usr/lib"
  cp "$w"/all/pyzmq.libs/libgcc_s-* "$name/usr/lib/"
  cp "$w"/all/pyzmq.libs/libstdc++-* "$name/usr/lib/libstdc++.so.6"
  rm -r "$w"
  cp -L "$(find "$name/lib" "$name/usr/lib" -name libc.so | head -1)" "$name/lib/loader"
  mv -f "$name/lib/loader" "$name/lib/ld-musl-$2.so.1"
  ln -sf "ld-musl-$2.so.1" "$name/lib/libc.musl-$2.so.1"
  mkdir -p "$name/etc"
  printf '/lib\n/usr/lib\n' >"$name/etc/ld-musl-$2.path"
}

case $name in
qemu)
  get bookworm qemu-all qemu-user-static
  mkdir -p qemu
  mv qemu-all/usr/bin/qemu-aarch64-static qemu-all/usr/bin/qemu-x86_64-static qemu/
  rm -r qemu-all
  ;;
glibc-2.31) get bullseye glibc-2.31 libc6:amd64 libstdc++6:amd64 libgcc-s1:amd64 ;;
glibc-arm64)
  get bookworm glibc-arm64 libc6:arm64 libstdc++6:arm64 libgcc-s1:arm64
  arm_processor glibc-arm64
  ;;
musl-x64) musl_of amd64 x86_64 ;;
musl-arm64)
  musl_of arm64 aarch64
  arm_processor musl-arm64
  ;;
wine)
  # Wine before 10 lacks bcryptprimitives.dll.
  get bookworm debootstrap debootstrap
  DEBOOTSTRAP_DIR=$dir/debootstrap/usr/share/debootstrap debootstrap/usr/sbin/debootstrap --variant=minbase --arch=amd64 trixie wine "$mirror"
  cp /etc/resolv.conf wine/etc/
  ROOT=$dir/wine unshare -m bash -c 'mount -t proc proc "$ROOT/proc" && mount --rbind /dev "$ROOT/dev" && chroot "$ROOT" sh -c "apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends wine64 wine"'
  ;;
signatures)
  python3 -m venv signatures
  signatures/bin/pip install -q --disable-pip-version-check --only-binary=:all: apple-platform-py==0.1.0
  ;;
*)
  echo "nothing is called $name"
  exit 64
  ;;
esac
