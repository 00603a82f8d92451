#!/bin/bash
# Copies what is new into a folder for each day.
set -euo pipefail

target=${1:-"$HOME/backup"}
stamp=$(date +%Y-%m-%d)
kept=(
  "notes"
  "photos"
)

usage() {
  cat <<EOF
# usage: ${0##*/} [folder]
# Copies ${kept[*]} into a folder named $stamp.
EOF
  exit 2
}

log() {
  printf '%s: %s\n' "$(date "+%H:%M")" "$*" >&2
}

size_of() {
  local folder=$1
  du -sk "$folder" 2>/dev/null | cut -f 1
}

while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help)
      usage
      ;;
    --keep=*)
      keep="${1#--keep=}"
      ;;
    -*) log "unknown option $1"; exit 2 ;;
    *)
      target=$1
      ;;
  esac
  shift
done

if [[ ! -d $target ]]; then
  mkdir -p "$target" || {
    log "cannot make $target"
    exit 1
  }
elif [ ! -w "$target" ]
then
  log "cannot write to $target"
  exit 1
else
  log "size: $(size_of "$target")"
fi

count=0
for name in "${kept[@]}"; do
  if [ -z "$name" ]; then
    continue
  fi
  (cd "$HOME" && tar -cf - "$name") |
    gzip -9 >"$target/$stamp-$name.tar.gz" ||
    log "failed: $name"
  count=$((count + 1))
done

find "$target" -name '*.tar.gz' -mtime +"${keep:-30}" \
  -exec rm -f {} \;

until [ "$(find "$target" | wc -l)" -lt 100 ]
do
  oldest=$(ls -t "$target" | tail -n 1)
  rm -f "$target/$oldest"
done

log "$count folders copied"
