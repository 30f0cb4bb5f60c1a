#!/usr/bin/env bash
# Runs npm and counts the packages that it unpacks: `install.sh ci --workspaces=false`.
# A terminal gets one line that counts up, anything else a line for every 50 packages.
set -o pipefail
every=50
[ -t 1 ] && every=1
# At this level npm names each archive that it fetches or takes from its cache. Install scripts print what they do.
npm "$@" --no-audit --no-fund --loglevel=http --foreground-scripts 2>&1 | awk -v every="$every" '
  /^npm http .*\.tgz/ && !/attempt/ {
    count++
    if (every == 1) printf "\r%d packages", count
    else if (count % every == 0) print count " packages"
    fflush()
    next
  }
  /^npm http (cache|fetch GET (200|304)) / || /^npm warn (EBADENGINE|install-scripts|deprecated)/ || /^$/ { next }
  { if (every == 1) printf "\r"; print; fflush() }
'
