#!/usr/bin/env python3
"""Collects the everyday and clinical words that are never a name: words that stand in small letters in the project's own texts.

usage: known_words.py FOLDER… > Models/names/known-words.tsv

Only texts that are no held-out part of an evaluation are read. A word that mostly has a capital is left out: it may be a name.
"""
import collections
import json
import os
import re
import sys

WORD = re.compile(r"(?<![\w@.])([A-Za-z][a-z]+)(?![\w@])")


def files(folder):
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(root, name)
            if re.search(r"runs|test|/names/|simulation/names", path) or not name.endswith((".jsonl", ".tsv", ".json")):
                continue
            yield path


def main(folders):
    small, capital = collections.Counter(), collections.Counter()
    for folder in folders:
        for path in files(folder):
            with open(path, encoding="utf-8") as lines:
                text = lines.read().replace("\\n", " ")
            for match in WORD.finditer(text):
                word = match.group(1)
                (small if word.islower() else capital)[word.lower()] += 1
    words = sorted(w for w, n in small.items() if n >= 2 and capital[w] <= 3 * n)
    print("# title: Everyday and clinical words that are no names")
    print("# source: Collected by Evaluations/names/known_words.py from words in small letters of the project's own texts")
    print("# licence: MIT, written for VetNet")
    print("# version: 1")
    print("id\twords")
    for letter in sorted({w[0] for w in words}):
        print(letter + "\t" + "|".join(w for w in words if w[0] == letter))


if __name__ == "__main__":
    main(sys.argv[1:])
