#!/usr/bin/env python3
"""Collects the everyday and clinical words that are never a name: words that stand in small letters in the project's own texts.

usage: known_words.py FOLDER… > Models/names/known-words.tsv

Of the clinical tables every word is taken, in rows of their own (terms: they may have a capital within a sentence, and products mostly do), of all else what stands in small letters. Only texts that are no held-out part of an evaluation are read. Of that, a word that mostly has a capital is left out: it may be a name. So is a word
that is somebody's name in the same texts and stands in small letters only now and then: where people type in haste, names do too.
"""
import collections
import json
import os
import re
import sys

WORD = re.compile(r"(?<![\w@.])([A-Za-z][a-z]+)(?![\w@])")
# What the texts themselves say is a name: of clients, animals and staff, and of simulated ones.
NAMED = re.compile(r'"(?:name|owner_name|author)": ?"([^"]*)"|^\w+\t(?:animal|given|family|street|town)\t([^\t\n]+)', re.M)
# Tables of drugs, findings, breeds and their like: no person's name stands there.
CLINICAL = re.compile(r"(?:^|/)Models/(?:formulary|lexicon|concepts|clinical)/")
# Those of them whose words are no places: breeds are called after Devon and Suffolk.
PLACELESS = re.compile(r"(?:^|/)Models/(?:formulary/(?!species-)|lexicon/|concepts/)")
# A name among everyday words has to be one this often.
OFTEN = 12


def files(folder):
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(root, name)
            if re.search(r"runs|test|/names/|simulation/names", path) or not name.endswith((".jsonl", ".tsv", ".json")):
                continue
            yield path


def main(folders):
    small, capital, named, terms, placeless = collections.Counter(), collections.Counter(), set(), set(), set()
    for folder in folders:
        for path in files(folder):
            with open(path, encoding="utf-8") as lines:
                text = lines.read()
            for match in NAMED.finditer(text):
                named.update(word.lower() for word in re.findall(r"[A-Za-z]+", match.group(1) or match.group(2)))
            text = text.replace("\\n", " ")
            for match in WORD.finditer(text):
                word = match.group(1)
                # In the clinical tables a capital is a product's, a breed's or an organism's.
                clinical = CLINICAL.search(path)
                (small if word.islower() or clinical else capital)[word.lower()] += 1
                if clinical:
                    terms.add(word.lower())
                if PLACELESS.search(path):
                    placeless.add(word.lower())
    words = sorted(
        w for w, n in small.items() if (w in placeless or (n >= 2 or w in terms) and capital[w] <= 3 * n) and (w not in named or n >= OFTEN and capital[w] <= n)
    )
    print("# title: Everyday and clinical words that are no names")
    print("# source: Collected by Evaluations/names/known_words.py from words in small letters of the project's own texts")
    print("# licence: MIT, written for VetNet")
    print("# version: 1")
    print("id\twords")
    for letter in sorted({w[0] for w in words}):
        for row, is_term in ((letter, False), (letter + "-term", True)):
            these = [w for w in words if w[0] == letter and (w in terms) == is_term]
            if these:
                print(row + "\t" + "|".join(these))


if __name__ == "__main__":
    main(sys.argv[1:])
