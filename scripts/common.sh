# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What the other scripts share. Sourced by them.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="${SPIREA_BUILD_DIR:-$root/build}"
parts=()

# timed NAME COMMAND...: runs it, and keeps how long it took.
timed() {
  local name="$1" start="$SECONDS" code=0
  shift
  echo "== $name"
  "$@" || code=$?
  parts+=("$(printf '%6d s  %s' "$((SECONDS - start))" "$name")")
  return "$code"
}

print_times() {
  echo "== time"
  printf '%s\n' "${parts[@]}"
}

# configure [CMake options...]: into $build.
configure() {
  local generator=()
  [[ -e "$build/CMakeCache.txt" ]] || generator=(-G Ninja)
  cmake "${generator[@]}" -S "$root" -B "$build" "$@" > "$build.log" 2>&1 || { cat "$build.log" >&2; return 1; }
}
