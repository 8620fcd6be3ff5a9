import json,sys,re,collections
L=lambda f:[json.loads(l) for l in open(f) if l.strip()]
P,N,Q=L('patients.jsonl'),L('notes.jsonl'),L('questions.jsonl')
bad=[];warn=[]
pid={p['id'] for p in P}; nd={}
for n in N:
    if n['id'] in nd: bad.append(n['id']+' dup')
    nd[n['id']]=n
    if set(n)!={'id','patient_id','recorded_at','author','kind','text'}: bad.append(n['id']+' keys')
    if n['patient_id'] not in pid: bad.append(n['id']+' pid')
    if n['kind'] not in 'consult phone lab nurse surgery referral prescription intake'.split(): bad.append(n['id']+' kind')
    if not re.fullmatch(r'20(19|2\d)-\d\d-\d\dT\d\d:\d\d',n['recorded_at']): bad.append(n['id']+' date')
    w=len(n['text'].split())
    if not 20<=w<=180: bad.append(n['id']+' words %d'%w)
seen=set();C=collections.Counter();early=short=0
last={}
for n in N: last[n['patient_id']]=max(last.get(n['patient_id'],''),n['recorded_at'])
T=collections.Counter()
for q in Q:
    i=q['id']
    if i in seen: bad.append(i+' dup')
    seen.add(i); c=q['answer_class']; C[c]+=1; T[q['type']]+=1
    if set(q)!={'id','patient_id','asked_at','question','answer_class','must_contain','must_not_contain','evidence','type'}: bad.append(i+' keys')
    if c not in('found','negative','not_recorded','conflicting','ambiguous_patient'): bad.append(i+' class')
    if q['patient_id'] is not None and q['patient_id'] not in pid: bad.append(i+' pid')
    if c=='ambiguous_patient' and q['patient_id'] is not None: bad.append(i+' amb pid')
    for e in q['evidence']:
        if e not in nd: bad.append(i+' ev '+e); continue
        if q['patient_id'] and nd[e]['patient_id']!=q['patient_id']: bad.append(i+' ev pat '+e)
        if nd[e]['recorded_at']>=q['asked_at']: bad.append(i+' ev late '+e)
    if c in('not_recorded','ambiguous_patient') and q['evidence']: bad.append(i+' ev should be empty')
    if c in('found','negative','conflicting') and not q['evidence']: bad.append(i+' no ev')
    if c=='conflicting' and len(q['must_contain'])<2: bad.append(i+' conf groups')
    if c=='found' and not q['must_contain']: bad.append(i+' found no mc')
    txt=' '.join(nd[e]['text'] for e in q['evidence'] if e in nd).lower()
    if q['patient_id'] is None:
        pp={p['id']:p for p in P}
        txt+=' '+' '.join(pp[nd[e]['patient_id']]['name']+' '+pp[nd[e]['patient_id']]['owner_name'] for e in q['evidence'] if e in nd).lower()
    for g in q['must_contain']:
        if not isinstance(g,list) or not g: bad.append(i+' group'); continue
        if c in('found','conflicting','negative') and not any(v.lower() in txt for v in g):
            (warn if q['type'] in('count','interval','total') else bad).append(i+' nomatch '+str(g))
    if len(q['question'].split())<=5: short+=1
    l=last.get(q['patient_id']) if q['patient_id'] else max(last.values())
    if q['asked_at']<l: early+=1
print('BAD',len(bad));[print(' ',b) for b in bad]
print('computed/exempt',len(warn));[print('  ',w) for w in warn] if '-v' in sys.argv else 0
print('patients',len(P),'notes',len(N),'questions',len(Q)); print(dict(C)); print('early',early,'short',short)
if '-v' in sys.argv: print(dict(T)); print(collections.Counter(n['author'] for n in N)); print(collections.Counter(n['kind'] for n in N)); print(collections.Counter(n['patient_id'] for n in N))
