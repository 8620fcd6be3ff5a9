#!/usr/bin/env python3
"""Writes notes with their names marked, for `vetnet evaluate names`.

usage: generate.py dev|held|last|unread COUNT SEED > FILE

The names, places and sentences here were written apart from Models/names, and those of the parts are apart from each other. Rules were made
looking at dev, held was opened once and its figure kept, then looked at too; the same happened to last. unread was
written after that and opened once. What is marked: names of people without their titles, of places with house numbers, postcodes, telephone
numbers, mail addresses, and of animals. What is on file (people, places, animals) is what a practice would have: not relatives,
neighbours, other practices, or towns that somebody visited.
"""
import json
import random
import sys

PARTS = {
    "dev": {
        "given": "Adaeze Bronagh Cosmin Dilys Eirlys Fenella Gwilym Hyacinth Ieuan Jolanta Kwame Lavinia Marcin Noreen Osian Parminder Radka Shamima Tobias Ulrike Wojciech Yewande Zofia Mark Rose Grace Frank Joy Will Anjali Bogdan Delyth Ewelina Farhana Ioana Kerensa Lowri Morwenna Nerys Pritesh".split(),
        "surname": "Okafor Brzezinski Pryce-Jones Hallworth Tredinnick Abernethy Kowalczyk Dhaliwal O'Shaughnessy McAllister Featherstone Ng Achebe Lindqvist Bielawski Ramasamy Thistlethwaite Yilmaz Vandermeer Popescu Carruthers Ollerenshaw Brown Young Wood Hill Bird Sharp Pike Winter Gascoigne Ashworth Nwosu Sandhu Delacroix Murgatroyd Penhaligon Quayle Rasmussen Szymanski".split(),
        "animal": "Biscuit Nimbus Pickle Tansy Ziggy Fergal Moppet Sultan Peaches Wotan Duchess Bandit Marmite Treacle Smokey Comet Pepper Muffin Otis Juno".split(),
        "town": "Haverbrook Netherwick Pontyfelin Cullercombe Dunstry Balgarrow Wexcombe Oakhanger Thornaby Ullesthorpe".split(),
        "street": ["Quarrybank Road", "Old Tannery Lane", "Swallow Close", "Vicarage Hill", "Chapel Street", "Larkfield Avenue", "Beech Grove", "The Crescent", "Mill Brow Terrace", "Station Parade"],
        "site": ["Ravensworth Referrals", "Highmoor Farm", "Willow Bank Stables", "Penny Lane Surgery", "Foxglove Cottage", "Harrow Kennels"],
        "notes": [
            "{C} rang re {A}. V+ x3 since Friday, no D+. Off food, drinking ok. Adv bland diet 24h, recheck if not settled. Tel {PH}.",
            "{A} in with {CF}. BAR, T 38.6, HR 120, MM pink, CRT <2s. Abdo soft. Gave Cerenia 1mg/kg SC. {CG} to phone tomorrow.",
            "Recheck of L hind lameness. {C} says {A} is toe touching on the stairs at home in {T}. Cruciate: drawer negative under sedation. Metacam 5 d.",
            "O {CG} reports PU/PD for 3/52. USG 1.012, no glucose. Discussed Cushing's with {C}; ACTH stim booked Monday 9am with {S}.",
            "Seen by {I}. Wound clean, sutures out. {A}'s collar off tonight. Invoice to {ST}, {T} {PC}.",
            "Referred by {V} of {K}. Grade 4/6 systolic murmur, vertebral heart score 11.2. Vetmedin bid, furosemide 2 mg/kg. Report to {EM}.",
            "Husband {R} brought her in; {C} is away. Bordetella and Lepto given, no reaction. Next due 12/26.",
            "Phone: {CF}, {PH}. Found {A} chewing the neighbour {N}'s slug pellets 40 min ago. Metaldehyde? Told to come straight down. ETA 15 min.",
            "Dental under GA by {S}: 108, 208 extracted, Buprecare given. {R} collecting at 5. Soft food 1/52.",
            "Lab: ALT 214 U/L, ALKP 690 U/L, T4 normal. D/w {C} by phone on {PH}. Scan next week by Dr {VS}.",
            "{A} bit {R}, the groomer, last week. Advised muzzle training. {C} tearful, given leaflet and {S}'s direct number.",
            "New client moved from {T}. History requested from {K}. Microchip {CHIP}. Registered to {CF}, {ST}.",
            "Euthanasia discussed w {C} and her son {R}. Chronic renal failure IRIS 4, creatinine 620. Home visit to {ST} Thursday.",
            "Boarding at {K} while {CG} is in {T}. Kennel cough exposure. Doxycycline 10 mg/kg sid 7 d. Ring {R} on {PH} if worse.",
            "Horner's syndrome L, otitis media on CT at {K}. Myringotomy. Letter from {V} scanned. {C} declines Elizabethan collar.",
            "Staffie x, 4y. Demodex on skin scrape, Apoquel stopped. {C} mailed photos from {EM}. Recheck {S} 3/52.",
        ],
    },
    "held": {
        "given": "Aurelia Blodwen Cathal Desislava Einar Fionnuala Guido Hanae Ignatius Jerzy Kalinda Llinos Mirela Nkechi Orla Padraig Rhodri Svetlana Tegwen Umberto Vaida Winsome Xiomara Ysanne Zbigniew Hope Jack Olive Dean Heather Amrita Branwen Corentin Dorota Efosa Gudrun Harjit Ilinca Katarzyna Lucjan".split(),
        "surname": "Adebayo Birtwistle Czarnecki Dunwoody Eisenhauer Fothergill Goonetilleke Hargreaves Igwe Jankowski Kavanagh Llewellyn Mukherjee Nakamura O'Riordan Pemberton-Smythe Quinlan Rathbone Stavropoulos Trevelyan Underhill Venkataraman Wrigglesworth Xu Yarborough Zimmermann Black Marsh Long Rice Fox Summers Bishop Cook Lacey McCorquodale Ferreira Grzybowska Holubek Iyer".split(),
        "animal": "Pumpkin Tarquin Waffles Zorro Clementine Boris Sapphire Gizmo Toffee Rolo Mango Domino Nutmeg Rusty Shadow Tinker Vesper Whisky Yoda Pebbles".split(),
        "town": "Aldermere Brackenthwaite Carrowmoyle Elmstowe Garrigill Inverleith Llanbryde Mossbeck Skelbrooke Wychford".split(),
        "street": ["Coppersmith Row", "Fairlawn Gardens", "Tollgate Drive", "Abbots Walk", "Queen Street", "Cherry Tree Close", "Sandpiper Way", "Priory Court", "Lower Wharf Road", "Meadow View"],
        "site": ["Castlegate Vets", "Nettlebed Farm", "Silverdale Livery", "Orchard House Cattery", "Kestrel Lodge", "Bridge End Hospital"],
        "notes": [
            "Msg from {CF} ({EM}): {A} scratching at ears again, black discharge. Malassezia last time. Wants Osurnia repeat, to be seen by {S} first.",
            "Presented 02:10 by {C}, drove over from {T}. GDV confirmed R lat rad. Trocarised, fluids 90 ml/kg. Consent signed {CG}. Surgery {S}, GA {R}.",
            "Post op check {A}: eating, urinating, incision dry. {R} (daughter) asks re stairs. Rimadyl with food 7 days. Callback {PH}.",
            "{C} thinks {A} has a lump on the flank; 2 cm, mobile. FNA: lipoma. Owner happy. Weighed 31.4kg, diet sheet.",
            "Insurance form for {CF}, {ST}, {T}, {PC}. Claim re Addisonian crisis Sept. Vet completing: {S}. Ins ref by post.",
            "Diabetes clinic w nurse {R}. Caninsulin 12 IU bid, fructosamine 410. {C} giving jabs well. Hypo advice sheet. Next with {I}.",
            "Colic call at {K}, bay TB gelding {A}. HR 48, gut sounds quiet LDQ, Buscopan iv. {C} to walk & ring in 1h ({PH}). Groom {R} present.",
            "Cat in RTA on {ST}. Finder {N} brought in a box. No chip. Pelvic #, shock, Methadone 0.3 mg/kg. Rescue in {T} informed.",
            "Second opinion from {K}, previously under {V}. IMHA, PCV 17 %, spherocytes, Coombs positive. Pred 2 mg/kg. D/w {C} prognosis guarded.",
            "Rabbit {A}, GI stasis. Metoclopramide, syringe feeds. {CG} works nights, so partner {R} will bring back 8am. Tel {PH}",
            "Puppy check, Frenchie. BOAS grade 1. Breeder {N} in {T}. Nobivac DHP. {C} to book in with {S} re nares.",
            "Hx: seizures x2, MRI at {K} NAD. Epiphen 3 mg/kg bid, KBr discussed. {CG} keeping diary, {R} filmed the last one.",
            "Dear {C}, {A}'s bloods are back and the thyroid is fine. Please ring {S} on {PH} to talk about his weight.",
            "Repeat Prednicare & Antirobe posted to {ST} {PC}, o/a {CF}. {I} authorised. Recheck due before next lot.",
            "Found collapsed by neighbour {N}. Heat stroke, T 41.8, cooled, plasma. {C} on holiday in {T}, agreed by phone, {R} signing.",
            "Kept in: parvo positive. {R} on nights. {C} told visiting is not possible. Estimate emailed to {EM}.",
        ],
    },
    "last": {
        "given": "Agnieszka Bertrand Caoimhe Dragan Eluned Fabrizio Gintare Hristo Iolo Jasvinder Kofi Ludmila Maelys Nanami Oisin Perpetua Quincy Rosheen Saoirse Tadeusz Ulla Vasile Wiktoria Xanthe Yorath Zuleika Amber Robin Faith Dale Iris Ken Bartosz Ceridwen Dilnoza Eszter Ferenc Glenys Henrike Ivana".split(),
        "surname": "Agyeman Balakrishnan Cholmondeley Drzewiecki Entwistle Fitzsimmons Gryffudd Heptonstall Iwanowski Jellicoe Kiplagat Lewandowska MacGillivray Nkemelu Oyelaran Postlethwaite Quigley-Moore Ravindran Stokowski Tregenza Uzodike Vasquez Weatherstone Ximenes Yeboah Zawadzki White Field Carter Stone Rivers Bell Archer Moss Glover Dunne Sahota Kettlewell Brankovic Olusanya".split(),
        "animal": "Barnacle Crumpet Dottie Fudge Gandalf Hobnob Jasper Kipper Luna Monty Noodle Parsnip Quaver Raffles Socks Twiglet Umber Violet Wilbur Captain".split(),
        "town": "Ashbourton Blackmuir Coldwaltham Drumfinnan Eastrigg Fenwold Glanrhyd Hexthorpe Kilnsea Lostford".split(),
        "street": ["Harebell Close", "Granary Lane", "Bishops Road", "Waterside Terrace", "High Street", "Plough Hill", "Nightingale Grove", "The Mews", "Upper Brook Street", "Hawthorn Rise"],
        "site": ["Stonebridge Referrals", "Hollins Farm", "Marlpit Stables", "Greenacres Cattery", "Thornfield House", "Priorslee Clinic"],
        "notes": [
            "{A} (4y FN DSH) off colour 2 d. T 39.9, abscess L face, lanced and flushed. Amoxiclav 8.75 mg/kg. {C} to bathe bid. Re-exam with {S}.",
            "T/C from {CF} - {A} ate raisins approx 1h ago, 12 kg. Emesis induced on arrival with apomorphine. {R} waited in reception.",
            "Nurse consult w/ {R}. Weight 8.1 kg (was 8.9). {C} pleased. Measured food, no titbits. Next wt check at {T} branch.",
            "Bloods reviewed by {S}: SDMA 22, phos 2.1. Start renal diet + benazepril. {CG} informed by text on {PH}.",
            "Lame RF after beach walk at {T}. Carpus swollen. Rads: no fracture. Rest 10 d. {C} asks for copy to {EM}.",
            "Ophthalmology: {V} at {K} saw {A} Tues. Glaucoma OS, IOP 48. Dorzolamide tid. Enucleation if no response. {CG} understands.",
            "Letter to {CF}, {ST}, {T}, {PC}: booster overdue, health plan lapsed.",
            "Whelping: 5 pups, 1 dead. Oxytocin 2 IU. {C}, breeder, experienced. {R} staying overnight. Call {S} if >2h no pup.",
            "Skin recheck. Cytology cocci ++. Cefalexin 25 mg/kg bid 3/52, chlorhex shampoo. {C} says son {R} forgot doses at weekend.",
            "Bird flu query from {N}, 6 hens at {ST}. Advised APHA. No visit made. Ref {I}.",
            "Vaccine reaction? Facial oedema 30 min post jab. Chlorphenamine, dexameth. {CG} stayed 1h. Yellow card by {I}.",
            "Ferret {A}, adrenal dz suspected. Deslorelin implant placed by {S}. Previous vet {V}, {K}.",
            "PTS at home, {ST}. {C} and {R} present. Ashes to return, casket. Card to be sent by {I}.",
            "Tortoise, post hibernation anorexia. Bathed, fluids ICe. {C} lives in a flat in {T}, no UV. Husbandry sheet from {R}.",
            "Fight wound, dog of {N} on {ST}. Penrose out tomorrow 8.30. Marbocyl. Police ref taken by {CG}.",
            "Post-op call: {R} answered, {A} bright, ate chicken, no V+. {C} at work until 6. Try {PH} later.",
        ],
    },
    "unread": {
        "given": "Aoibheann Bjarne Chidera Dorrit Evander Fumiko Gethyn Halina Iseult Jolyon Kazimierz Leocadia Mihaela Naoise Odalys Pelham Rafaella Sinead Thandiwe Urszula Vasyl Wilhelmina Yaroslav Zdenek Grant Penny Iris Ray Lily Glen Solveig Tamas Bryher Cressida Dafydd Elspeth Farrukh Ginevra Hedvig Ilse".split(),
        "surname": "Aspinall Bhattacharya Crosthwaite Dabrowski Eyitayo Fairweather Gonsalves Hetherington Ibekwe Jorgensen Kowalski Liversedge MacIntyre Nowicki Osterhaus Pettigrew Ramsbottom Sienkiewicz Thorburn Urquhart Valentini Wojtowicz Yiannakis Zielinski Green Snow Waters Baker Stamp Cross Lamb Drake Golightly Hussain Omondi Pellegrino Twelvetrees Unsworth Varghese Wilberforce".split(),
        "animal": "Acorn Banjo Cinders Digby Elvis Frodo Gravy Hector Indie Jellybean Kestrel Lupin Merlin Nacho Olaf Pudding Rocket Snowy Thor Wellington".split(),
        "town": "Amberhithe Braithwell Cawdale Dunmorrow Ellerby Frosterley Glaisnock Holmrook Kirkandrews Lydmoor".split(),
        "street": ["Oakapple Drive", "Smithy Lane", "Paddock Close", "Castle Road", "New Street", "Fern Bank Avenue", "Rookery Hill", "Water Lane", "Canal Side Terrace", "Poplar Grove"],
        "site": ["Millbrook Referrals", "Upper Haye Farm", "Sandhurst Livery", "Beacon Vets", "Lavender Cottage", "Northgate Hospital"],
        "notes": [
            "{C} noticed {A} straining in the tray since 6am. Bladder turgid, unblocked under Alfaxan. Urinary catheter in situ. {S} on call tonight.",
            "Spoke to {CF} re histology: mast cell tumour grade II, margins 3 mm. Options given. {CG} wants referral to {K}, will email {EM}.",
            "Suture removal. Healed well, no discharge. {A} growled at nurse {R}. Lampshade off.",
            "Anal glands, full, L thick. {C} asked for this monthly. Booked with {I} in 4/52.",
            "Cough 10 d, worse at night. HR 140, arrhythmic. ECG: AF. Started pimobendan & diltiazem. {V} ({K}) advised by phone.",
            "Visit to {ST}, {T}: ewe prolapse, replaced, harness. {C} holding. Tetcin given. Invoice {PC}.",
            "{A}: fleas ++, flea dirt on back. Bravecto. {C} has 3 cats at home and a lodger, {R}, who is itching.",
            "Called {PH}, no answer, left message with {R}. Urine culture E. coli, sens to TMPS.",
            "Fell down stairs at {N}'s house Sunday. Non weight bearing RH. Tibial fracture, splint, to {K} tomorrow. {CG} driving.",
            "Client moved to {T}; new address {ST} {PC}, mobile {PH}. Notes sent to {K}.",
            "Budgie, scaly face mites. Ivermectin topical. {C} brought it in a shoebox. Advice re perch hygiene by {R}.",
            "Pre-GA bloods fine. Spay by {S}, uneventful, 35 min. Discharged to {CG} at 4.30 with Loxicom. {I} did recovery.",
            "Behaviour: separation related, destroys doors. {C} to film {A}. Adaptil. Referral to behaviourist {N} in {T} discussed.",
            "Tick removed from ear, mouthparts out. {R} had tried with tweezers. Lyme unlikely. {C} reassured.",
            "Snake bite? Forelimb swollen after walk on the common near {T}. IV fluids, antivenom from {K}. {C} waiting outside in car.",
            "Cremation form: {A}, {CF}, {ST}. Ashes back to {K}. Condolence card {S}.",
        ],
    },
}
CLINICAL = [
    "No abnormalities detected on Doppler.", "Schirmer 14 and 16 mm/min.", "Simparica and Milbemax dispensed.", "BCS 6/9.", "Giardia snap negative.",
    "Westie, atopic.", "Labrador, hips C/C.", "Plan: bloods, urine, BP.", "Omeprazole 1 mg/kg.", "See Monday's entry.", "Leishmania titre pending.", "Robert Jones bandage changed.",
    "Owner declined further tests.", "Temp normal, lungs clear.", "Start Libromide if worse.", "Hills k/d as sole diet.", "Patella luxation grade 2 L.", "Ringer's at 2x maintenance.",
]
TITLES = ["Mr", "Mrs", "Ms", "Miss", "Dr"]


class Note:
    def __init__(self, part, chance):
        self.part, self.chance = part, chance
        self.text, self.names = "", []
        pick = chance.choice
        self.client = (pick(part["given"]), pick(part["surname"]))
        self.staff = (pick(part["given"]), pick(part["surname"]))
        self.animal = pick(part["animal"])
        self.street, self.town = pick(part["street"]), pick(part["town"])
        self.number = str(chance.randint(1, 140))

    def add(self, text):
        self.text += text

    def name(self, text, kind):
        start = len(self.text)
        self.text += text
        self.names.append({"start": start, "end": len(self.text), "kind": kind})

    def slip(self, word):
        if len(word) < 6 or self.chance.random() > 0.1:
            return word
        place = self.chance.randrange(2, len(word) - 1)
        return word[: place - 1] + word[place] + word[place - 1] + word[place + 1 :]

    def slot(self, key):
        part, chance = self.part, self.chance
        given, surname = self.client
        if key == "C":
            self.add(chance.choice(TITLES[:4]) + chance.choice([" ", " ", ". "]))
            self.name(self.slip(surname) if chance.random() < 0.8 else f"{given[0]} {surname}", "person")
        elif key == "CF":
            self.name(f"{given} {self.slip(surname)}", "person")
        elif key == "CG":
            self.name(given, "person")
        elif key == "S":
            if chance.random() < 0.6:
                self.add("Dr ")
                self.name(self.staff[1], "person")
            else:
                self.name(self.staff[0], "person")
        elif key == "I":
            self.name(self.staff[0][0] + self.staff[1][0], "person")
        elif key == "A":
            self.name(self.animal, "animal")
        elif key == "R":
            self.name(chance.choice(part["given"]), "person")
        elif key == "N":
            if chance.random() < 0.5:
                self.add(chance.choice(["Mr ", "Mrs "]))
                self.name(chance.choice(part["surname"]), "person")
            else:
                self.name(f"{chance.choice(part['given'])} {chance.choice(part['surname'])}", "person")
        elif key == "V":
            self.add(chance.choice(["Prof ", "Dr ", "Mr "]))
            self.name(chance.choice(part["surname"]), "person")
        elif key == "VS":
            self.name(chance.choice(part["surname"]), "person")
        elif key == "T":
            self.name(chance.choice(part["town"]), "place")
        elif key == "ST":
            self.name(f"{self.number} {self.street}", "place")
        elif key == "K":
            self.name(chance.choice(part["site"]), "place")
        elif key == "PC":
            letters = "ABDEHLNPRTW"
            self.name(
                f"{chance.choice(letters)}{chance.choice(letters)}{chance.randint(1, 29)} {chance.randint(1, 9)}{chance.choice(letters)}{chance.choice(letters)}",
                "place",
            )
        elif key == "PH":
            digits = f"07700 9{chance.randint(0, 99999):05d}" if chance.random() < 0.6 else f"01632 96{chance.randint(0, 9999):04d}"
            self.name(digits if chance.random() < 0.7 else digits.replace(" ", ""), "contact")
        elif key == "EM":
            self.name(f"{given.lower()}.{surname.lower().replace(chr(39), '')}@example.{chance.choice(['com', 'org'])}", "contact")
        elif key == "CHIP":
            self.name(f"985{chance.randint(0, 10**12 - 1):012d}", "contact")
        else:
            raise KeyError(key)


def note(number, name, part, chance):
    result = Note(part, chance)
    pieces = [chance.choice(part["notes"])]
    if chance.random() < 0.7:
        pieces.insert(chance.randrange(2), chance.choice(CLINICAL))
    if chance.random() < 0.4:
        pieces.append(chance.choice(part["notes"]))
    for place, piece in enumerate(pieces):
        if place:
            result.add(chance.choice([" ", "\n"]))
        rest = piece
        while "{" in rest:
            before, rest = rest.split("{", 1)
            key, rest = rest.split("}", 1)
            result.add(before)
            result.slot(key)
        result.add(rest)
    text = result.text
    style = chance.random()
    if style < 0.12:
        text = text.lower()
    elif style < 0.16:
        text = text.upper()
    elif style < 0.25:
        text = text.replace(". ", "  ")
        if len(text) != len(result.text):
            text = result.text
    given, surname = result.client
    return {
        "id": f"{name}-{number:03d}",
        "text": text,
        "names": result.names,
        "people": [f"{chance.choice(TITLES[:4])} {given} {surname}"],
        "staff": [f"Dr {result.staff[0]} {result.staff[1]}"],
        "places": [f"{result.number} {result.street}, {chance.choice(part['town'])}"],
        "animals": [result.animal],
    }


def main(name, count, seed):
    chance = random.Random(f"{name} {seed}")
    for number in range(int(count)):
        print(json.dumps(note(number, name, PARTS[name], chance), ensure_ascii=False, sort_keys=True))


if __name__ == "__main__":
    main(*sys.argv[1:4])
