CREATE TABLE migration (name TEXT PRIMARY KEY NOT NULL) STRICT;
INSERT INTO migration VALUES('m0001_practice');
INSERT INTO migration VALUES('m0002_record');
INSERT INTO migration VALUES('m0003_calendar');
INSERT INTO migration VALUES('m0004_model');
INSERT INTO migration VALUES('m0005_index');
INSERT INTO migration VALUES('m0006_findings');
INSERT INTO migration VALUES('m0007_work');
CREATE TABLE setting (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO source VALUES(1,'sample');
CREATE TABLE client (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  -- Lower case by Unicode's rules, which SQLite's NOCASE (ASCII only) doesn't know.
  name_key TEXT NOT NULL,
  phone TEXT,
  email TEXT,
  address TEXT,
  UNIQUE (external_id, source_id)
) STRICT;
INSERT INTO client VALUES(1,1,'C1',X'93e2974df8bcc8bd1dbb5d4b33dc2c0624d68ecedffbb6ac1f6404d844a39618','Ann Smith','ann smith','01632 960001',NULL,NULL);
CREATE TABLE patient (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  owner_id INTEGER REFERENCES client (id) ON DELETE SET NULL,
  owner_name TEXT,
  owner_name_key TEXT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  species TEXT NOT NULL,
  breed TEXT,
  sex TEXT NOT NULL,
  -- Days, as ISO 8601 writes them.
  date_of_birth TEXT,
  deceased_at TEXT,
  weight_kg REAL,
  microchip TEXT,
  UNIQUE (external_id, source_id)
) STRICT;
INSERT INTO patient VALUES(1,1,'P1',X'a5066259a69c81b31cd32d189a279d805fbed3a4bfe0330703f4eea66cf3f4b8',1,NULL,NULL,'Bella','bella','dog','Beagle','FS','2019-04-02',NULL,12.400000000000000355,'985112000000001');
CREATE TABLE staff (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('veterinarian', 'nurse', 'reception', 'administrator')),
  UNIQUE (external_id, source_id)
) STRICT;
INSERT INTO staff VALUES(1,1,'V1',X'805fcf90cbcf69e4b5e0764e0402a60c3b22dc536f786f298da9388d53912e2b','Dr Lee','veterinarian');
CREATE TABLE staff_skill (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  specialty TEXT NOT NULL,
  -- 0 to 1
  competence REAL NOT NULL,
  PRIMARY KEY (staff_id, specialty)
) STRICT, WITHOUT ROWID;
INSERT INTO staff_skill VALUES(1,'cardiology',0.9000000000000000222);
CREATE TABLE staff_hours (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  start_minute INTEGER NOT NULL,
  end_minute INTEGER NOT NULL,
  PRIMARY KEY (staff_id, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO staff_hours VALUES(1,0,1,540,1020);
CREATE TABLE staff_break (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  earliest_minute INTEGER NOT NULL,
  latest_minute INTEGER NOT NULL,
  duration_minutes INTEGER NOT NULL,
  PRIMARY KEY (staff_id, ordinal)
) STRICT, WITHOUT ROWID;
INSERT INTO staff_break VALUES(1,0,1,720,840,30);
CREATE TABLE staff_leave (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  -- Both days belong to the leave.
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  PRIMARY KEY (staff_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE TABLE resource (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  capacity INTEGER NOT NULL CHECK (capacity >= 0),
  cleaning_minutes INTEGER NOT NULL CHECK (cleaning_minutes BETWEEN 0 AND 1440),
  UNIQUE (external_id, source_id)
) STRICT;
INSERT INTO resource VALUES(1,1,'R1',X'ebdc9fe6027ace51e07c65a21ccccb70d18afb1b546ec055461f53111a624fc1','Room 1','room',1,5);
CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  patient_id INTEGER NOT NULL REFERENCES patient (id),
  recorded_at INTEGER NOT NULL,
  author TEXT,
  kind TEXT NOT NULL
    CHECK (kind IN ('consult', 'phone', 'lab', 'nurse', 'surgery', 'referral', 'prescription', 'intake')),
  text TEXT NOT NULL,
  UNIQUE (external_id, source_id)
) STRICT;
INSERT INTO note VALUES(1,1,'N1',X'87c00970ced3fdeac1d80415fb2a83ade41e5143dedd6b04dabb4441b63968ae',1,1700000000,'V1','consult','vomiting since last night');
INSERT INTO note VALUES(2,1,'N2',X'6f02dcce88681e9f9ad62c49dd28406b9370853e06ec3be852577b96cca12b9d',1,1700100000,NULL,'phone','bright and eating again');
CREATE TABLE intake (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  patient_id INTEGER REFERENCES patient (id),
  received_at INTEGER,
  channel TEXT,
  species TEXT,
  breed TEXT,
  -- As given: "4y", "12 weeks".
  age TEXT,
  sex TEXT NOT NULL,
  weight_kg REAL,
  text TEXT NOT NULL,
  UNIQUE (external_id, source_id)
) STRICT;
INSERT INTO intake VALUES(1,1,'I1',X'72f053e47cd3992dcf1d596a0486d08f6af0befcf7711f65c25b7a7b0664cff7',1,NULL,'phone',NULL,NULL,NULL,'unknown',NULL,'vomiting again');
CREATE TABLE appointment (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  patient_id INTEGER REFERENCES patient (id),
  clinician_id INTEGER REFERENCES staff (id),
  start_at INTEGER NOT NULL,
  duration_minutes INTEGER NOT NULL CHECK (duration_minutes BETWEEN 0 AND 10080),
  actual_minutes REAL,
  visit_type TEXT,
  reason TEXT,
  status TEXT NOT NULL
    CHECK (status IN ('requested', 'booked', 'arrived', 'in_progress', 'done', 'cancelled', 'no_show')),
  -- Grows by one with every change, so that a change based on an old reading can be refused.
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (external_id, source_id)
) STRICT;
INSERT INTO appointment VALUES(1,1,'A1',X'd45710d4ca96c6cfc684b5d26c446e52cf7dd686c2fac354cdc2b1af7baf573e',1,1,1795424400,15,NULL,'recheck',NULL,'booked',1);
CREATE TABLE appointment_resource (
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  resource_id INTEGER NOT NULL REFERENCES resource (id),
  -- From 1 to the resource's capacity; NULL while the appointment holds no unit.
  unit INTEGER CHECK (unit >= 1),
  PRIMARY KEY (appointment_id, resource_id)
) STRICT, WITHOUT ROWID;
INSERT INTO appointment_resource VALUES(1,1,1);
CREATE TABLE clinician_slot (
  clinician_id INTEGER NOT NULL REFERENCES staff (id),
  slot INTEGER NOT NULL,
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  PRIMARY KEY (clinician_id, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO clinician_slot VALUES(1,5984748,1);
INSERT INTO clinician_slot VALUES(1,5984749,1);
INSERT INTO clinician_slot VALUES(1,5984750,1);
CREATE TABLE resource_slot (
  resource_id INTEGER NOT NULL REFERENCES resource (id),
  unit INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  PRIMARY KEY (resource_id, unit, slot)
) STRICT, WITHOUT ROWID;
INSERT INTO resource_slot VALUES(1,1,5984748,1);
INSERT INTO resource_slot VALUES(1,1,5984749,1);
INSERT INTO resource_slot VALUES(1,1,5984750,1);
INSERT INTO resource_slot VALUES(1,1,5984751,1);
CREATE TABLE appointment_conflict (
  appointment_id INTEGER PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
  reason TEXT NOT NULL
) STRICT;
CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  checksum BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- JSON
  parameters TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO model VALUES(1,'vectorizer',X'ee155ace9c40292074cb6aff8c9ccdd273c81648ff1149ef36bcea6ebb8a3e25','sample','{}',0);
CREATE TABLE projection_row (
  model_id INTEGER NOT NULL REFERENCES model (id) ON DELETE CASCADE,
  bucket INTEGER NOT NULL,
  weight REAL NOT NULL,
  vector BLOB NOT NULL CHECK (length(vector) = 2048),
  PRIMARY KEY (model_id, bucket)
) STRICT;
INSERT INTO projection_row VALUES(1,7,1.5,X'a2bdcf3e0a4da9be2a4ee5bee09d153d682cb1bee849103e4088f73c8a9a33be1a08e7be0607a7be3418553e9819e53dfc659fbebc33e9be8daed1be44f8f2be7600a6bede8939be60a1173e17d99bbe7c17febe2286fd3e84c2993e94e8fcbdaaadd5beb25ae13ec83c04bd34d0023e793dd5bebcf0953e1a36bcbe305f753eac6940be6c01cbbe30a4a43e7d85ccbe9882d03dd4a881bede6e993eb4ea943eac2c643ee2ca48be10ef6e3e769294be78ec60bdb47ca93e40940b3d784f0e3e80dbdabd60aac3bc001ada3e48867a3e009e9e3efad9c3bea8fb4fbd323ed9be1c1c723e5c57953ec039263d007ec93a023dee3eb4a9dcbe2835f43ee07ca43cc00be53e7a099c3eecd7aa3e1e63b6be12d0c1be841d333e443181be0ca3aa3e1652863e28be11bed863ea3d8d50e1be3ab015be0064da3c0ee32abef6b69e3ee0ed653ef02aa13e4c247b3e720185be00f22a3c1e2ad33e0460b03e847e5f3ed8b51dbd8807d23da425b1be46cba4be721a37be5c6d5c3e2874ac3e08c0d1bed457a03e6803e9be9ae6f33ebdc2d1be5052783e0034a33dcae3b93e3640e23e0007fc3c0e149e3e80e86c3c1e0d8a3e7819513e2c7cb6bee094033e861cf0be324e0cbe1069803d90ecbdbdfe16aabe43d184be2c491f3e6032413eac94ccbe58b0993d3a5ea03ede7ec23efd15ddbef0f63a3e2cebf5be209278bcc085d3bbd4653bbe708ca63e0a46fe3ed256ef3ed488ccbd4439cebdd89b90bea4895cbefa17b53e202f213e5abad83e02aaacbe2ab37fbef2a34bbee6df15be12a762bea6452abe804f2f3cb050c73e9051ee3e444d823e44f765be70309b3ed69cc33e4821d33e6a3e75be2c6b0c3e26a133be31ecb7be984bb93d742a48bec0a1973c225dc53e4074dd3d1482673e6045ae3e0cb6cbbdb2aea4be44c1c93e78b0e43ee08c9cbe62e7d7be5e2fc9bede805abe348392bd5a268f3eae5da5be9a1ddb3e885aec3d20e026be9018393df006a93db625e13e7683b7be900dd03d80b3dfbd7eb8cc3edcec35beb2a517be4cfd78be800fce3b14f2613e8077403e6014693e60eb8f3c407370be44ee5d3e3e0a2fbe106f01bdb264d53e4cff883e0478903e6015cabe80d7363e221118bec092c33ea83a243ebabf833e1005a5bdc85254beb402a9bde4c3343e88693ebe6641b13ee8b8c53eb875383e4929b1bed65fc3be589869bdb867293e40eb723da2139abee479f0be5cf1babea4696f3e9a68c03e603ac53c1404073e5c6778be2ed6ca3ebc6b6dbe22bddd3ea6a6f03eb8c7933e96bedd3e2ce68bbd50c9c73efc304a3e146d873ed8ddc73e2eb4f63e0c15883e0021393cbc98ff3e902cedbcee7a45bedef483be0836c83ed80db73e2c97d03e1400733e9be1adbeb225813e7b3fd9bee007873dca0dc63ef80632be081f9bbd3dbba7be802239bd2888c63d2ca082bec69acd3e34a234be04a1913e8f15fcbe8a73e1bea2baf7bec4b792beda8aa53e0c9c683e4048583d90b8143d8854813e2e93863eb8f4473e20cd6a3da072b23dc43c88bd5cddf53e48a8afbd1807e63dc8de87bd86ced9be40ee343cce6d68be11d1edbe3c4dbe3ec8bb993e8065be3b3e60eb3ec4da9c3ec01b3a3e00ac513b744fdf3ea0eaab3e9c43cf3eb83a583ee88c98beb0d7d7be56b9c53e3039cf3ee38ce5bec012123ef87c2b3e0077063ee06af5bee0f4c03e44b883bd10f9b13ddcc4e7be48bcc3bde711dcbe1cc64d3e3ccf37be6d6ef4bec1f6cdbe04dbf7bdd428553e1811163edef6cf3e58f5813e40849fbda854a33dfcfa0ebe26a5973e261feb3ebc30903e54dd6f3e10e3d73ebce801be30d58dbec0293c3db8f516be76b857be6ecca3be60c2fabeca219e3e700c743da6c823be9901fabe8c5ce63e02af09bef08a363ef479603ef25db23e66c94ebe4071b53e1c143a3e1c3d0c3edfd3a1be00a4543a682cd63ea87d063e48e6b1be80e6de3b7078a03d0eeafdbe001dbe3e4e1396bee7f2fabeb85ccb3d70d02c3ec14ac7be6808ca3e4ceee93ec8c6db3dfc61febdbeceaebe9895e93d54f83a3e25a2eebe020aa13ed00fe2bdeeb3da3efe84d2bef4cbd53e40dea4bd36ccee3e849fc5bd602a073d054db4beace8c53ee0ddcb3d9742ffbe1c7a053e3c6da0bdc4f3083e9d6989be381f033ebcd798be808ba13be852e63d9698833e88b9c33ed2c7aebebc7dc8bdc88aa33e503a6bbd78357d3e1c45b13eb442a5bed08db9bc4a75b33eab1bebbe1006043ed8035abee05a883ce43f93be4082aa3d19169cbe5a61debee0570ebe4babb8be3459063ef0b09dbe19d4b3be2ff6e0beac53b7bd08d1123e7979f5be008047b8ef88d7bef0069d3e34d55a3e94711c3ecc7465be000056375864aebe58ba943d4e4c6fbe84d7703ec0a1893d80e864be583bb03d90885e3d64f8e4be24d46dbe3c3783be5c10d23e52eefd3e7c77383e40267b3cfc96a2be91e3d5be0d0dd2be9f6ac8be36c5b23e366688be82d633bed0c2033e6c6eaebd781c29be3ce96fbedee3a03ec01db03cb451cebd0c72a93ecee8dabee4be92be001cd83e0003ccbc347b8e3e76edfb3e430d9fbe6444363e8c1ba7be6481fd3e243297be92e09e3e1c692d3e3c1a93be10e6e5be806644be9429c1bd3cef533edaea0fbefa941ebeac98853e1c7ffabe285536bd60eb8dbc1469b2be78fd183e48c8bb3d0076e4ba7588afbe78b9f5bee0b383be923fc53e5cc61dbec2fde83ea0f09abe9e0672be583cc7bd5a19bdbe983e523ef0da983d318ab1be30d39c3d179796be90645abdb874343e80090fbe889cde3da49e363ea0c2373d302dcdbd94dfc4bda8f338be5c2deabda855c6be18ccd33dc49b8cbe');
CREATE TABLE generation (
  id INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL REFERENCES model (id),
  -- The versions of analyser, lexicons and extraction rules that took part.
  rules_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  created_at INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL DEFAULT 0 CHECK (chunk_count >= 0),
  token_total INTEGER NOT NULL DEFAULT 0 CHECK (token_total >= 0)
) STRICT;
INSERT INTO generation VALUES(1,1,'1','live',0,2,8);
CREATE TABLE note_state (
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('indexed', 'failed')),
  reason TEXT,
  PRIMARY KEY (generation_id, note_id)
) STRICT, WITHOUT ROWID;
INSERT INTO note_state VALUES(1,1,'indexed',NULL);
INSERT INTO note_state VALUES(1,2,'indexed',NULL);
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  -- The note's, so that a filter needs no look at the note.
  patient_id INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  -- UTF-8 bytes of the note's text, end exclusive.
  start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
  end_byte INTEGER NOT NULL CHECK (end_byte >= start_byte),
  section TEXT,
  token_count INTEGER NOT NULL CHECK (token_count >= 0),
  -- The forward index: pairs of varints, the term's id less the one before, and how often it occurs.
  terms BLOB NOT NULL,
  UNIQUE (note_id, generation_id, ordinal)
) STRICT;
INSERT INTO chunk VALUES(1,1,1,1,1700000000,'consult',0,0,25,'body',4,X'0101010101010101');
INSERT INTO chunk VALUES(2,1,2,1,1700100000,'phone',0,0,23,'body',4,X'0501010101010101');
CREATE TABLE chunk_vector (
  chunk_id INTEGER PRIMARY KEY REFERENCES chunk (id) ON DELETE CASCADE,
  vector BLOB NOT NULL CHECK (length(vector) = 2048)
) STRICT;
INSERT INTO chunk_vector VALUES(1,X'cc92bdbe30841e3d93fc88be4c9fff3eaa68edbed8d7753e78c278bdd492d73ee8d8f63ddab1c8be0ca9553edd7dc7be704d2f3ed2cb47be02f775be9885b03db838f13d90e990bc4047e73d3a53d53e324e853e6e7ce83ea8281abd7a8782be586faebe2096e8be4036aebea6c9ec3eb9e0cfbef2bdba3ebe00913e3083873ef6e49c3eb48e5b3e6cad8fbeebcd8fbe6cb2f1bd2cdb643e60add93de8ee9f3d0623da3e81c2e9be0c3f283ef64d25be3048cabeb6c63fbe34238b3ed28659be90de2ebd80cfbb3e94312f3eda9690be8c3a28beb8f1fa3e3e8fa03e5a5155be6ec7eebe5cc1afbd0811d0bd00026abc6a93bcbe449a543e00c09b3ef4fcce3e2ee0f13e58308c3d5a104ebea4f448bec41185beae39b93e78a244be947c513e88b6e73e085d3a3eb4c8cf3e8427943e40cf813dc72088be50ec5d3d004863bd5050a03daad692be6eba33bea4cb2e3e77e1dcbe8ee78cbe0889d83d715edbbe94e497bda2a71fbe02afc0be50a4eebd787164bd925add3e1139c1be8089bb3c70d2163d5401403e9854493e408f3c3c6ae8b43ec0142bbe1c01d63e78c5b33d809c9d3c5b64e4be722eb1be8020c03d2e28a8be8078d13e40c7d6bc1012f0bc74edff3e08441c3e35c0c0be84e1483e00bf86bbf009113e7cedc6bea0a9ac3ce64a88beb82d1cbde589d0be3cda06be50a4473edcd4653ec802a8bd313c9bbee4a08e3ec08f8c3ece3cc3befedf873eda34cfbecafee23e9a359ebe00646d3ad06b403d3468813e00d2c3bda09bae3c753ddabe50ae693dc42a603ee0f316be4e1bc73e00e03a3996c10ebef458b93e8f52b4be56abd1be3c0630bef23032be58ca123edeaf21be3885ba3dc084cebec006f93c488e943ee4306fbeb0c1133dfcdbdbbdb843bb3d881dc8be06891abe547cea3e428a923eaabb78be80fdadbed4c185bd9cf9c03e90b181be0685933e20fbf5be605de23d062528be4a7497beb87ecd3d105eb23e6155b2be70a5253e088152bd2056f9be6c0465be7893d13dbcebbc3e0cc3853eb2ead53e762336beb010403d8838653eaafccc3e2c2616bef4e7843e8cd10f3e329eaebe8681a7be076affbec6698d3ec0ca7abc54323c3ecccf7bbe3ec28abedc7eb23ed056ea3d36e28cbe6019c63eda41ef3e0255a73e0e13a33e86a6d2be00c038381cfa203eca48ae3eb8bbc73e84e9fbbd143af53e0024fcbcd231913ea879b73d40ac5f3ec0ac613d44713ebe4f4ee6be7ec0943e1a8fa33e206bdf3da86dd5bdda61b3be8c76353ec497adbe68eb62be40ebd83df21a7bbe1ec7a83ee0460c3d1462bd3e9c75ae3e2aa4913e002eac3e0c1fdbbde00af2be10a4793e4e9dd7be144790bda001abbc0058bdbd1ee0f8be920219be2c6bdcbea09ade3c7ca9ba3ec8577cbe29d2d4bed3a9a6bec2d8dfbe04ead9be72aad23ef478b8be5c6e923e52d1aabec083523d40bacf3c4063d23e9613f83eb8430bbe7cd0193e1efc21befa0203bec09a54bdf2c0a43ee40a993e82d8cdbe284c933e304326bea8cdf9bd326be63e0d37aabec0945f3c3a9e89bee2a4e83ed859b0beb693a13e501a393eae0061be6ca7cabe5ec23ebe21f3ecbe88f3a83e30f969bd0056cb3c50b895bcb463653ea63b8ebe8646b63e828b49bee26196be58301bbe6c59723e322fdebeca480bbe0ae34cbee4b387bed20a48be0f76ecbe3aca5bbe88ca1cbe6ce5fcbd9041333d4820c0bd42339fbeecfd023ea04fcdbcd0c4793e642ceebd2876c63e9881f43e7088f23daa3f973e9cccd13ec2c775be52eafebe1c45b1be340c193e167e9fbe8845eb3e6cf8e43e2482803eac79dfbe7078773ec87045bd8284b63eca58ec3eaaa510beb012cabd00a1a93c912ce0be2871b2bd443f7f3e567fdb3ec0197c3d2c281b3e0afa953eecb33d3e64c2af3e18e3b9be2054a63e3af3963e80b8a13da0c1ecbdfc12babe903d52be6246e7beb7fceebe90172f3ec49edfbd205904bc001b9e3dbe13cd3e1cd6afbdb4c2443e6cbc2abef06d25bd78a4ab3d7427e4be848d453ec067e53cc8c4373e584bf43ed888053e6e6d3fbee0d96a3e98025fbe9e83b53e9682843e603156bce028423ef1c4acbea4075c3e40b61cbcf685b8be6274dc3e3a0dc43ea85da93ed039bf3d22e8babefa1192be6090ef3cd0291f3e3481f5be6a99a63ee86680bdd0879c3da20552be406fd4bd590d8cbe2e6894be40c7ae3ce088303e7c35533ea80cb53d4a5fc1bea488bbbd18c9c53d4859a5bda614b1be00fe923bc06fdbbba0ce15be44aa95be1040c8bdc06f473df825c7bee254c53ee276e73e5a6953be6086833ec0b5783e845316bee06b763ec2f0cd3e307a713e8ed1d53ef26bb43e899bcbbe108f203db0df5cbe0dbbb3be6c06493e024ce43e40c432bd2246813e7049733e7044adbce032fdbc0a5a25bee2e646bef2304fbef29ff93ece45e23ef21bd0be04ca4b3e5cb28f3ed052993e28050dbd1002fb3d6ee95dbe40b1413d2ebaff3e6fe2cebefc24843e00e08b393db8a6be3cda343e1fd4ecbe6ad6dfbef8f5afbe8afbfe3eb4a7733e3c12213e7eea9a3ea035043e706be7be9c6a8dbd4478d93ed841003eba4ea23ea003cabcd236f43e00517bbba7a3e4be668bcc3ec665b83e26cedc3ee8831ebd54a32dbea4deb03e07e1d0be9ae5e03e580fe03d3c7bf43e90f233be00ccf2bc6ae8a63e78d7f23d701c7abe3ee0bdbef0e282bcf6e3ae3eea0a12bed6ddcd3e98cab3bdac5b0c3e2c35d43e2a84ccbe4477f33e843f9fbef8a672beac831e3e2fc8adbe00000836e629a9be9410e9bd342b473ea05ec63d9efc82bed27937be7ab9da3e4af8c23e7dedcabec459af3e68c96bbe7825943d');
INSERT INTO chunk_vector VALUES(2,X'a8e902be62de46be0817bc3d2e82bbbedc7dfd3e66eed5bea4c0b5be2827233e80a06fbde8a07fbd02c69d3e542ba2bef82cab3d905b543ed4f40bbe042c153efcd0843edcc5f33eb8dab0becafc48bea4968cbe00e9d53c5899a83e844c863ea40af73e80056dbc04f1fe3e482ba53e4009b93ee841463e661e77bed0680abea028e23d582483bef6b8c8be86aaa63e7a99a63e98189ebeb04939bd647bc1be49d5a7bea49da0be28a2cd3ee4c6b93ea8462b3efef7bcbea0b942bc8e7ae33ece78cf3ea41b163eb4740cbe68ce2abd56efc03e3efc59bec8a5a43e1616be3e5852c7bd2e9179beb00099bec0382c3d1e0b943e08b9933e88f0be3da4acfcbdca4faebe185ff8be32ac62be80051cbc9cea8bbe40f9e53c77b0e2be384b87be98fa56bd989509be6036bebcf02784be70b3fa3d7045273dc28b983eee46bd3e5084ca3e32d1b1be8a19d93ea6e5abbef0f3863ef8850d3eb319b4be96f0ce3e386cc83eec95cbbed802d43ec26b893e08bcf13dc87bec3ec0d6993e4c6f4f3e78ab363e28745fbd809a893dd83f783eb604cf3ee4ffb43ea44645be30f6123e8c9942be26d19ebea81b863e30a7913eb6d4bf3e9276b63e51d0d4bee0410a3ef4be07be1844f63dfca1c33e11abf4be741fdb3e00e8933a0a7df8be048087be0c53dc3ede2b05be74f7bc3e3883f53daa74ccbe20afd9bea65bdb3e06f348be2c7fe6be34d9b93e2685cbbe58ef0cbe907ec5bd00eef63eda42973eb8d7bc3ebf689bbe04bc1a3e98a08f3e28bee03da03f50bc7e78fe3e0c71c6be502ba5bc00531fbde40bbbbd2d0191bec406ecbdde16ef3e6871e03db0b8613e30fa6cbe20df0b3e48374fbdd0d1843dc449d53e154bf3be31eaf4beb057cfbc1e2e29bea8fb68bd44ee3e3eb475a3be1470f83ee0f3683e806335bb6cf8ba3eae294abe1c00f1be201bee3e9c43513e1afddabea6c6a1bee846753e1c4babbdf07a6cbe2c028f3ec8d6933dba83e83e5801debd98d6e5bd2669d03ec4a50cbe006c5e3e0822213edc0e0ebe646dfc3e38a130bd5ccfe9be9e8d5ebeaae95dbec035773c244b5b3ef66caa3ee4c89a3eecc81b3e3ac98e3efc25c9bee6fdc2be667370be08d19d3ef8ecc9bd1c75cd3e7ab4bfbe3cff86bd003ce53ca68ffd3ea86e483e2c3e853e71c78cbe80f7e43e6a0d9abe5ad6b33e6a4b9ebe081b84be0005a03e74476c3ee487ce3e2893a63d607ec23c007d403ee481b63eb061433ea0b685bd04f1643e20682e3eb0f078bd588e22be968f57befcdd11be088aa7be609da93e087bd33ee058923cd71392bee0d9ee3ee8c0a23e0c59703e806cba3ce00ab63d8c23293e1c79a33e0a6e863ef69fd53e9ae0a5be9eb2fbbefc76b73e1c0771be79afc7beb8788dbe980af03ea86688bd9899c63e4493acbe2857efbd6e71dfbe40daecbdc030243e740eeebe00bdf2bac2b30dbee0c7a73cab1fdabe5c9dbd3e9cd1223e20689cbe00011b3da42c1ebe44d2673e80be093cd441f33e7e2306be0871febd80cc97bdaa509e3e103fe3be440c92bda4349fbea6f492beae1edfbe3885fc3dece1e7bd8e3a39be9aaa30be18b2a83eec9cb43eee15a33edd03c9be2828f2bdc02a3f3ec6e5c63e10d8283d4c4cbbbe1aadd23e1d8f8dbef01352be0aa6963e77b4edbeb2b8ab3e009a5a3ce8be9bbe8037a03e69c0b8beaec69fbe6249b8be008551bd98adaabe2088dfbdbba4dbbe50841f3dbceb843ec6b81fbe7a2c0fbe6af3923ecca0773eee7bbabe92fa8e3ea08de33c5849d5be9a96ecbed800343e1068fc3e9eb320be3ec5ef3e804ed53ed2f7843ef87ed83d604484bd208b143e6249f5be6409653e041993bed85e5fbebafac13e76edb7be407baf3e827f43be00fdebbc8087433c08f4013eb8d3a7bd6299b33e8477523e6406a5bec256ccbea904e1be3c19eb3e9a9594be5435ff3e6003873c4870763e68498c3ea277903e8011ed3ed04f3f3d6cfd31be5b8cacbe2a1904be1553a5beea3ca83e642df13e38695abeb6f6f3be40ab94bb9825b33d9953d3be4abfc43ebc50af3e763f9cbee8ef273eaa292ebe4493c4bee454853ed4e5fc3eecee4e3e100b2dbe9115f1beb901debe4074173df9d28fbe0185fabe9679df3e50b222be4cffc4bda051b13ce0246e3d1e0b77be308574bdc87a203efa5199be18d62e3e049a863e7e9975bed0e44e3e6e44b33ec21838be3c24343ea40b32be80dd143efc86ca3ed29e30be4055cf3de098a23da4c5f0beca38e93ef0b2e5bd42ec60be8126d5be40a7733c488ded3d8c21cfbe9cf2833e7699d63e485eb1bd80d421be6932f5beac20dd3ed8429fbd888bdf3da2ffdfbe5814db3ed084ffbeac69813ecc899dbdd253ec3eb652d03e88482abe5cadb8bd10f3f53df415ab3e7003613d8cc7813e46c9903e9e7f0abe3f2181be0025f43c90804c3dfa26aa3eccb605be9824893ed63cb7be2025b0bd8eb89ebeec07083e00322dba622cba3e10ab7f3e5621bfbe50764f3dc40f3abe32ffb8be0f06acbef63ca5be4548aabe903e9f3df6afe13e1435dfbe8a3c45beb03b523e389dfc3e2408193ee02307bce9c7e5be68e3f23e057abebef06700be1cf8a9bd402f20be6a6abebe6202f13e502862bde554e3be38ffd2bd8893c43ed846c2bd50dae53deef04bbee8f9213e381d73bdb4370dbed21b6fbe22f4ed3ec0a4a23c1cd7dcbefa3b813e282fa13dd2eb8e3ef05f343ef46a133ef21cac3e689f363e3ac5983e9432adbe9074b53d145995bd9816cfbd2487773e78e5883d221bdebe35b4cfbe6cd6c53e7cbe073e205d9b3d90b781be1a1af73e42ded73e1c89fcbe606a503e12d896be5ab237be14ad293e8c125e3e');
CREATE TABLE term (
  id INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  -- In how many chunks of the generation it occurs; a term in none is deleted.
  document_frequency INTEGER NOT NULL CHECK (document_frequency >= 0),
  UNIQUE (generation_id, text)
) STRICT;
INSERT INTO term VALUES(1,1,'last',1);
INSERT INTO term VALUES(2,1,'night',1);
INSERT INTO term VALUES(3,1,'since',1);
INSERT INTO term VALUES(4,1,'vomiting',1);
INSERT INTO term VALUES(5,1,'again',1);
INSERT INTO term VALUES(6,1,'and',1);
INSERT INTO term VALUES(7,1,'bright',1);
INSERT INTO term VALUES(8,1,'eating',1);
CREATE TABLE posting (
  term_id INTEGER NOT NULL REFERENCES term (id) ON DELETE CASCADE,
  first_chunk_id INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (term_id, first_chunk_id)
) STRICT, WITHOUT ROWID;
INSERT INTO posting VALUES(1,1,X'0001');
INSERT INTO posting VALUES(2,1,X'0001');
INSERT INTO posting VALUES(3,1,X'0001');
INSERT INTO posting VALUES(4,1,X'0001');
INSERT INTO posting VALUES(5,2,X'0001');
INSERT INTO posting VALUES(6,2,X'0001');
INSERT INTO posting VALUES(7,2,X'0001');
INSERT INTO posting VALUES(8,2,X'0001');
CREATE TABLE fact (
  id INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  patient_id INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  unit TEXT,
  start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
  end_byte INTEGER NOT NULL CHECK (end_byte >= start_byte),
  polarity TEXT NOT NULL,
  temporality TEXT NOT NULL,
  experiencer TEXT NOT NULL,
  -- JSON
  attributes TEXT NOT NULL
) STRICT;
INSERT INTO fact VALUES(1,1,1,1,1700000000,'word','vomiting',1.5,'kg',0,8,'present','current','patient','{}');
INSERT INTO fact VALUES(2,1,2,1,1700100000,'word','bright',1.5,'kg',0,6,'present','current','patient','{}');
CREATE TABLE assessment (
  id INTEGER PRIMARY KEY,
  patient_id INTEGER REFERENCES patient (id),
  appointment_id INTEGER REFERENCES appointment (id) ON DELETE CASCADE,
  intake_id INTEGER REFERENCES intake (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- JSON, both
  model_versions TEXT NOT NULL,
  result TEXT NOT NULL
) STRICT;
INSERT INTO assessment VALUES(1,1,NULL,1,5,'triage','{}','{}');
CREATE TABLE assessment_note (
  assessment_id INTEGER NOT NULL REFERENCES assessment (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  PRIMARY KEY (assessment_id, note_id)
) STRICT, WITHOUT ROWID;
INSERT INTO assessment_note VALUES(1,1);
CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'abandoned')),
  -- Host, boot, process and its start: enough to tell whether it still lives.
  holder TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  done_count INTEGER NOT NULL DEFAULT 0,
  total_count INTEGER,
  message TEXT
) STRICT;
INSERT INTO job VALUES(1,'reindex','done','sample sample 1 1',6,7,0,2,NULL);
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT,
  -- JSON, never words of a note
  details TEXT
) STRICT;
INSERT INTO audit VALUES(1,8,'sample','import','note N1',NULL);
CREATE INDEX client_name ON client (name_key);
CREATE INDEX patient_name ON patient (name_key);
CREATE INDEX patient_microchip ON patient (microchip) WHERE microchip IS NOT NULL;
CREATE INDEX patient_owner ON patient (owner_id);
CREATE INDEX patient_owner_name ON patient (owner_name_key) WHERE owner_name_key IS NOT NULL;
CREATE INDEX note_patient ON note (patient_id, recorded_at);
CREATE INDEX intake_patient ON intake (patient_id, received_at);
CREATE INDEX intake_received ON intake (received_at);
CREATE INDEX appointment_start ON appointment (start_at);
CREATE INDEX appointment_patient ON appointment (patient_id, start_at);
CREATE INDEX appointment_clinician ON appointment (clinician_id, start_at);
CREATE INDEX appointment_resource_resource ON appointment_resource (resource_id);
CREATE INDEX clinician_slot_appointment ON clinician_slot (appointment_id);
CREATE INDEX resource_slot_appointment ON resource_slot (appointment_id);
CREATE TRIGGER appointment_gives_slots_back
AFTER UPDATE OF status, start_at, duration_minutes, clinician_id ON appointment
WHEN new.status NOT IN ('booked', 'arrived', 'in_progress')
  OR new.start_at <> old.start_at
  OR new.duration_minutes <> old.duration_minutes
  OR new.clinician_id IS NOT old.clinician_id
BEGIN
  DELETE FROM clinician_slot WHERE appointment_id = new.id;
  DELETE FROM resource_slot WHERE appointment_id = new.id;
  UPDATE appointment_resource SET unit = NULL WHERE appointment_id = new.id;
END;
CREATE TRIGGER appointment_resource_gives_slots_back
AFTER DELETE ON appointment_resource
BEGIN
  DELETE FROM resource_slot WHERE appointment_id = old.appointment_id AND resource_id = old.resource_id;
END;
CREATE TRIGGER clinician_slot_needs_booking
BEFORE INSERT ON clinician_slot
WHEN NOT EXISTS (
  SELECT 1 FROM appointment
  WHERE id = new.appointment_id AND clinician_id = new.clinician_id
    AND status IN ('booked', 'arrived', 'in_progress'))
BEGIN
  SELECT RAISE(ABORT, 'only a booked appointment takes slots, and only of its clinician');
END;
CREATE TRIGGER resource_slot_needs_booking
BEFORE INSERT ON resource_slot
WHEN NOT EXISTS (
  SELECT 1
  FROM appointment
  JOIN appointment_resource AS held ON held.appointment_id = appointment.id
  JOIN resource ON resource.id = held.resource_id
  WHERE appointment.id = new.appointment_id AND held.resource_id = new.resource_id AND held.unit = new.unit
    AND new.unit BETWEEN 1 AND resource.capacity
    AND appointment.status IN ('booked', 'arrived', 'in_progress'))
BEGIN
  SELECT RAISE(ABORT, 'only a booked appointment takes slots, and only of the unit it was given');
END;
CREATE UNIQUE INDEX generation_one_live ON generation (state) WHERE state = 'live';
CREATE INDEX generation_model ON generation (model_id);
CREATE INDEX note_state_note ON note_state (note_id);
CREATE INDEX chunk_of_patient ON chunk (generation_id, patient_id, id, recorded_at, kind, token_count);
CREATE INDEX chunk_of_generation ON chunk (generation_id, id, patient_id, recorded_at, kind, token_count);
CREATE INDEX fact_patient ON fact (generation_id, patient_id, kind, recorded_at);
CREATE INDEX fact_note ON fact (note_id);
CREATE INDEX assessment_patient ON assessment (patient_id, created_at);
CREATE INDEX assessment_appointment ON assessment (appointment_id);
CREATE INDEX assessment_intake ON assessment (intake_id);
CREATE INDEX assessment_note_note ON assessment_note (note_id);
CREATE UNIQUE INDEX job_one_running ON job (kind) WHERE state = 'running';
CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_subject ON audit (subject);
