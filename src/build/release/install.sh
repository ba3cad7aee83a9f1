#!/bin/sh
# Installs mementor for the user who runs this, or upgrades it. Run it again to upgrade.
#
#   sh install.sh [--to DIRECTORY] [--target TARGET]
#
# Beside the files of a release it installs from them. Otherwise it downloads; MEMENTOR_BASE_URL names another place with
# the files of a release: an https address, one of this machine itself, or a directory.
set -eu
umask 022

main() {
  [ -n "${HOME:-}" ] || fail "HOME is not set: it names the directory to install for"
  base=${MEMENTOR_BASE_URL:-$(beside)}
  base=${base:-@DOWNLOADS@}
  base=${base%/}
  to=$HOME/.local/bin
  target=
  while [ $# -gt 0 ]; do
    case $1 in
      --to) [ $# -gt 1 ] || fail "--to needs a directory"; to=$2; shift 2 ;;
      --target) [ $# -gt 1 ] || fail "--target needs a target"; target=$2; shift 2 ;;
      *) fail "there is no option $1; there are --to DIRECTORY and --target TARGET" ;;
    esac
  done
  case $to in /*) ;; *) to=$PWD/$to ;; esac
  check_base
  [ -n "$target" ] || target=$(find_target)
  check_processor

  work=$(mktemp -d)
  draft=$to/.mementor.$$.new
  trap 'rm -rf "$work" "$draft"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP

  archive=mementor-$target.tar.gz
  case $base in /*) say "Reading $archive in $base" ;; *) say "Downloading $archive from $base" ;; esac
  download "$base/SHA256SUMS" "$work/SHA256SUMS"
  expected=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1; exit }' "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "this release has no $archive"
  download "$base/$archive" "$work/$archive"
  actual=$(sha256 "$work/$archive")
  [ "$actual" = "$expected" ] ||
    fail "the checksum of $archive is wrong: expected $expected, got $actual. Nothing was installed."

  tar -xzf "$work/$archive" -C "$work"
  unpacked=$work/mementor-$target
  mkdir -p "$to" || fail "cannot make $to; name another directory with --to"
  [ ! -d "$to/mementor" ] || fail "$to/mementor is a directory; name another directory with --to"
  rm -f "$draft"
  cp "$unpacked/mementor" "$draft" || fail "cannot write to $to; name another directory with --to"
  chmod 755 "$draft"
  version=$("$draft" --version) || fail "the program does not run on this system. Nothing was installed."
  mv -f "$draft" "$to/mementor"
  install_extras
  say "Installed $version as $to/mementor"
  "$to/mementor" prepare || say "The libraries could not be unpacked yet; \"mementor doctor\" tells why."
  tell_path
}

# The directory of this script, if it has the files of a release. A script from a pipe has none.
beside() {
  case $0 in
    */install.sh | install.sh)
      directory=$(cd "$(dirname "$0")" && pwd)
      [ ! -f "$directory/SHA256SUMS" ] || printf '%s' "$directory"
      ;;
  esac
}

check_base() {
  # A line break would write lines of its own into the note, an @ names another host.
  case $base in
    *"
"*) fail "the address of the release has a line break" ;;
    http*://*@*) fail "$base names a user; leave that out" ;;
  esac
  case $base in
    /*) [ -f "$base/SHA256SUMS" ] || fail "there is no release in $base" ;;
    https://*) ;;
    http://127.0.0.1[:/]* | http://localhost[:/]* | "http://[::1]"[:/]*) ;;
    "") fail "there is no address to download from; set MEMENTOR_BASE_URL to a directory with a release" ;;
    *) fail "$base is not an https address" ;;
  esac
}

find_target() {
  system=$(uname -s)
  machine=$(uname -m)
  case $machine in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "mementor is not built for $machine" ;;
  esac
  case $system in
    Darwin)
      # A shell under Rosetta says x86_64 on a machine that is not.
      [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" != 1 ] || machine=arm64
      echo "darwin-$machine"
      ;;
    Linux)
      if is_musl; then echo "linux-$machine-musl"; return; fi
      check_glibc
      if [ "$machine" = x64 ] && ! has_avx2; then echo linux-x64-baseline; else echo "linux-$machine"; fi
      ;;
    *) fail "mementor is not built for $system; on Windows use install.ps1" ;;
  esac
}

is_musl() {
  ! getconf GNU_LIBC_VERSION >/dev/null 2>&1 && ldd --version 2>&1 | grep -qi musl
}

check_glibc() {
  version=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/^glibc //')
  case $version in
    "") ;;
    [01].* | 2.[0-9] | 2.1[0-9] | 2.2[0-7] | 2.[0-9].* | 2.1[0-9].* | 2.2[0-7].*)
      fail "mementor needs glibc 2.28 or newer; this system has $version" ;;
  esac
}

has_avx2() {
  # A system that does not say what its processor can do gets the newer build.
  [ ! -r "$cpuinfo" ] || grep -qw avx2 "$cpuinfo"
}

check_processor() {
  if [ "$target" = linux-x64 ] && ! has_avx2; then
    fail "this processor has no AVX2; install linux-x64-baseline"
  fi
}

download() {
  case $base in
    /*)
      [ -f "$1" ] || fail "there is no $1"
      cp "$1" "$2" || fail "cannot read $1"
      return
      ;;
  esac
  if command -v curl >/dev/null 2>&1; then
    case $base in
      https://*) curl --proto '=https' --tlsv1.2 -fsSL --retry 2 -o "$2" "$1" ;;
      *) curl -fsS -o "$2" "$1" ;;
    esac || fail "cannot download $1"
  elif command -v wget >/dev/null 2>&1; then
    secure=
    case $base in https://*) ! wget --help 2>&1 | grep -q -- --https-only || secure=--https-only ;; esac
    wget -q $secure -O "$2" "$1" || fail "cannot download $1"
  else
    fail "neither curl nor wget is there to download with"
  fi
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then shasum -a 256 "$1" | cut -d ' ' -f 1
  elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r "$1" | cut -d ' ' -f 1
  else fail "neither sha256sum, shasum nor openssl is there to verify the download with"
  fi
}

# The manual page and completions go where shells look for those of a user. What was installed is noted, so that
# "mementor upgrade" and "mementor uninstall" know it.
install_extras() {
  data=${XDG_DATA_HOME:-$HOME/.local/share}
  note=$HOME/.local/share/mementor/installed
  if ! mkdir -p "${note%/*}" 2>/dev/null || ! chmod 700 "${note%/*}" || ! rm -f "$note.new" || ! : 2>/dev/null >"$note.new"; then
    say "Without manual page and completions: ${note%/*} cannot be written."
    return
  fi
  printf 'program=%s\nfrom=%s\n' "$to/mementor" "$base" >"$note.new"
  put man/mementor.1 "$data/man/man1/mementor.1"
  put completions/mementor.bash "$data/bash-completion/completions/mementor"
  put completions/_mementor "$data/zsh/site-functions/_mementor"
  put completions/mementor.fish "${XDG_CONFIG_HOME:-$HOME/.config}/fish/completions/mementor.fish"
  mv -f "$note.new" "$note"
}

put() {
  # A link would lead the copy elsewhere: it is replaced, as a file is. Into a directory nothing is moved.
  [ ! -d "$2" ] || return 0
  if mkdir -p "${2%/*}" 2>/dev/null && rm -f "$2.$$.new" && cp "$unpacked/$1" "$2.$$.new" 2>/dev/null && mv -f "$2.$$.new" "$2" 2>/dev/null; then
    printf 'file=%s\n' "$2" >>"$note.new"
  fi
}

tell_path() {
  case :$PATH: in
    *:"$to":*) ;;
    *) say "Add it to your PATH, for example in ~/.profile:  export PATH=\"$to:\$PATH\"" ;;
  esac
  say "Next: \"mementor enable\" in a project."
}

say() { printf '%s\n' "$1"; }

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit 1
}

# Tests name another file.
cpuinfo=${MEMENTOR_CPUINFO:-/proc/cpuinfo}

# Nothing runs before the last line has arrived.
main "$@"
