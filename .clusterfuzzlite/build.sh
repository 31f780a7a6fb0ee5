#!/bin/bash -eu
# Builds every fuzz target into $OUT, with its seeds and its dictionary, as OSS-Fuzz and ClusterFuzzLite want it.
# tests/oss_fuzz.rs runs this script with the variables that they set, and starts what it leaves.

cd "$SRC/bytetwin"

cargo fuzz build -O --debug-assertions --sanitizer "${SANITIZER:-address}"

# The museum is for planted bugs.
for target in $(cargo fuzz list | grep -vx museum); do
    cp "${CARGO_TARGET_DIR:-target}/$ARCHITECTURE-unknown-linux-gnu/release/$target" "$OUT/"
    # The build script of the fuzz package wrote the seeds: the committed cases as fuzz bytes.
    seeds=(fuzz/corpus/"$target"/case-*)
    if [ -e "${seeds[0]}" ]; then
        rm -f "$OUT/${target}_seed_corpus.zip"
        zip -jq "$OUT/${target}_seed_corpus.zip" "${seeds[@]}"
    fi
    cp "fuzz/dictionaries/${target#*code_}.dict" "$OUT/$target.dict"
done
