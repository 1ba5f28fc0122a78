"""Rust statements as texts (see `templates`), of which `rust_programs` makes random ones.

    $V $P $S   a value; a place that may be assigned; the name of a scalar
    $A $D $W   an array that is or becomes a slice; one of another variable than that; a Vec; three elements or more
    $N         any array; $#: how many elements it has
    $K $C $B   0, 1 or 2; a count; a condition
    $X $Q      an expression that stays bounded; a value of something that may fail
    KEEP       the Vec gets its three elements back
    «p¦q»      one of these: closures have the other bar

Names within a line end with an underscore.
"""

from __future__ import annotations

SIMPLE = """
$A[..3].sort_by(|l, r| «l.partial_cmp(r).unwrap()¦r.partial_cmp(l).unwrap()¦l.total_cmp(r)¦l.sin().total_cmp(&r\
.sin())»);
---
$A[..3].sort_unstable_by(|l, r| «l.partial_cmp(r).unwrap()¦r.total_cmp(l)¦(l * l).partial_cmp(&(r * r)).unwrap()»);
---
$A.select_nth_unstable_by(1, |l, r| l.total_cmp(r));
---
$A.«reverse()¦rotate_left(1)¦rotate_right(2)¦swap(0, 2)¦copy_within(1..3, 0)¦copy_within(..2, 1)»;
---
{ let v_ = $V; $A[«..2¦..3¦1..»].fill(v_); }
---
{ let mut v_ = $V; $A.fill_with(|| { v_ = f64::cos(v_); v_ }); }
---
{ let t_ = $V; $A.iter_mut().for_each(|v_| *v_ = f64::tanh(*v_ + 0.1 * t_)); }
---
for v_ in $A.iter_mut()«.rev()¦.skip(1)¦.step_by(2)¦» { *v_ = f64::sin(*v_ + 0.2); }
---
for (i_, v_) in $A.iter_mut().enumerate() { *v_ = f64::tanh(*v_ + 0.1 * i_ as f64); }
---
for (l_, r_) in $A.iter_mut().zip($D.iter()) { *l_ = f64::sin(*l_ + 0.3 * r_); }
---
$P = 0.4 * $A.iter()«¦.rev()¦.skip(1)¦.take(2)¦.step_by(2)¦.copied()¦.chain([0.3, 0.7].iter())».sum::<f64>();
---
$P = 0.4 * f64::tanh($A.iter().zip($A.iter()«.skip(1)¦.rev()¦».map(|r_| r_ * 0.7)).map(|(l_, r_)| l_ * r_)\
.sum::<f64>());
---
$P = 0.4 * $A.iter().fold($V, |s_, v_| s_ * f64::cos(*v_));
---
$P = 0.4 * $A.iter().copied().«fold(f64::NEG_INFINITY, f64::max)¦fold(9.0, f64::min)¦reduce(f64::max).unwrap()»;
---
$P = 0.4 * $A.iter().«max¦min»_by(|l, r| «l.partial_cmp(r).unwrap()¦(*l * *l).total_cmp(&(*r * *r))»).unwrap();
---
$P = 0.5 * f64::tanh($A.iter().product::<f64>());
---
$P = 0.3 * $A.iter().filter(|v_| **v_ > 0.4).map(|v_| f64::sin(*v_)).sum::<f64>();
---
$P = 0.3 * $A.iter().filter_map(|v_| root(*v_)).last().unwrap_or($V);
---
$P = 0.4 * $A.windows(2).map(|w_| f64::sin(w_[1] - w_[0])).sum::<f64>();
---
$P = 0.4 * f64::tanh($A.«chunks¦rchunks¦chunks_exact»(2).map(|c_| c_.iter().sum::<f64>()).fold(1.0, |s_, v_| s_ * v_));
---
for c_ in $A.chunks«_mut¦_exact_mut»(2) { c_[0] = f64::sin(c_[0]); c_.reverse(); }
---
{ let (l_, r_) = $A.split_at_mut(1); l_[0] += 0.2 * r_[0]; r_[1] = f64::tanh(l_[0]); }
---
$P = 0.4 * f64::tanh($A.iter().scan($V, |s_, v_| { *s_ = 0.6 * *s_ + v_; Some(*s_) }).sum::<f64>());
---
$P = 0.3 * $A.iter().«take¦skip»_while(|v_| **v_ < 0.8).map(|v_| v_ * v_).sum::<f64>().tanh();
---
$P = 0.3 * f64::tanh($A.iter().flat_map(|v_| [*v_, v_ * v_]).sum::<f64>());
---
$P = 0.3 * f64::tanh($A.iter().cycle().take($C).map(|v_| f64::cos(*v_)).sum::<f64>());
---
if let Some(i_) = $A.iter().position(|v_| *v_ > 0.6) { $P = 0.3 * i_ as f64 * $V; }
---
if $A.iter().«any¦all»(|v_| *v_ < 0.9) { $P = $X; }
---
$P = f64::tanh($V + 0.1 * $A.iter().filter(|v_| **v_ > 0.6).count() as f64);
---
{ let t_ = [$V, $V, 0.3]; $A[..3].«copy_from_slice¦clone_from_slice»(&t_); }
---
$A[..3].«copy_from_slice¦clone_from_slice»(&$D[..3]);
---
$A[1..3].swap_with_slice(&mut [$D[0], $D[1]]);
---
$P = f64::from_bits(f64::to_bits($V));
---
unsafe { let p_ = $A.as_mut_ptr(); for i_ in 0..3 { *p_.add(i_) = f64::sin(*p_.add(i_) + 0.1); } }
---
unsafe { let p_ = $A.as_mut_ptr(); std::ptr::swap(p_, p_.add(2)); p_.add(1).write(0.5 * p_.read()); }
---
unsafe { let r_ = $A[..3].as_ptr_range(); let v_ = walk(r_.start, r_.end); $P = v_; }
---
$P = 0.3 * f64::tanh([&$A[..2], &$D[1..3]].concat().iter().sum::<f64>());
---
$P = f64::tanh(*smallest(&$A[..3]));
---
$P = 0.4 * f64::tanh(positive(&$A[..3]).iter().sum::<f64>());
---
{ let mut v_ = positive(&$A[..3]); v_.to_mut()[1] = 0.4; let s_ = v_.iter().sum::<f64>(); $P = f64::sin(s_); }
---
{ let t_ = [$V, $V, 0.4].map(|v_| f64::sin(v_)); $P = t_[0] * t_[2] + t_[1]; }
---
{ let v_ = $V; let i_ = [0.1_f64, 0.5, 0.9].binary_search_by(|p_| p_.partial_cmp(&v_).unwrap()); \
$P = [0.3, v_, v_ * v_, 0.2][i_.unwrap_or_else(|i_| i_)]; }
---
{ let i_ = [0.2_f64, 0.4, 0.7].partition_point(|p_| *p_ < $V); $P = $X * (0.2 + 0.2 * i_ as f64); }
---
if let Some((first_, rest_)) = $A.split_first() { let v_ = first_ * rest_.len() as f64; $P = f64::sin(v_); }
---
if let [l_, .., r_] = $A[..3] { $P = f64::sin(l_ * r_); }
---
{ let (l_, r_): (Vec<f64>, Vec<f64>) = $A.iter().partition(|v_| **v_ < 0.5); \
$P = f64::tanh(l_.iter().sum::<f64>() - 0.5 * r_.iter().sum::<f64>()); }
---
{ let (l_, r_): (Vec<f64>, Vec<f64>) = $A.iter().map(|v_| (v_ * 0.5, f64::sin(*v_))).unzip(); \
$P = f64::tanh(l_[0] * r_[1] + l_[2]); }
---
$P = 0.4 * $A.iter().try_fold(0.2, |s_, v_| if *v_ < 2.5 { Some(s_ * v_ + 0.1) } else { None }).unwrap_or($V).tanh();
---
$P = 0.4 * $A.iter().map(|v_| root(*v_)).sum::<Option<f64>>().unwrap_or($V).tanh();
---
$P = 0.4 * $A.iter().map(|v_| checked(*v_, 1)).collect::<Result<Vec<f64>, Trouble>>()\
.map_or_else(Trouble::told, |v_| v_[1] * v_[2]);
---
{ let t_ = $V; let o_ = mem::replace(&mut $S, t_); $P = f64::sin(o_); }
---
{ let o_ = mem::take(&mut $A[$K]); $P = f64::sin(o_ + 0.2); }
---
{ let (mut l_, mut r_) = ($V, $V); mem::swap(&mut l_, &mut r_); $P = l_ * 0.6 + r_.sin(); }
---
{ let mut i_ = $A.iter().peekable(); let mut s_ = 0.1; while let Some(v_) = i_.next() \
{ s_ += i_.peek().map_or(*v_, |w_| *w_ * v_); } $P = f64::tanh(s_); }
---
$P = 0.4 * Steps { at: $V, by: $V, left: $C }.«sum::<f64>()¦map(|v_| v_ * v_).sum::<f64>()¦\
zip(0..4).fold(0.2, |s_, (v_, i_)| s_ + v_ * i_ as f64)¦last().unwrap_or(0.3)».tanh();
---
$P = named("«sine¦square¦something»", $V);
---
$P = apply(|v_| f64::sin(v_ + 0.3), $V).tanh();
---
{ let mut all_ = $V; let r_ = apply(|v_| { all_ += 0.3 * v_; all_ * v_ }, 0.4); $P = f64::sin(r_ + all_); }
---
$P = f64::sin(std::iter::successors(Some($V), |v_| Some(f64::cos(*v_) * 0.9)).«take(4).sum::<f64>()¦nth(3).unwrap()»);
---
$P = f64::tanh(std::iter::repeat($V).take($C).chain(std::iter::once(0.4)).enumerate()\
.map(|(i_, v_)| v_ * i_ as f64).sum::<f64>());
"""
CHANGES = """
{ let v_ = $V; $W.push(v_); }
---
for i_ in 0..$C { $W.push(0.1 * i_ as f64); }
---
{ let v_ = $V; $W.insert($K, v_); }
---
{ let v_ = $V; $W.push(v_); $W.pop(); $W.resize(4, v_); }
---
{ let mut t_ = mem::take(&mut $W); t_.push(0.4); t_.«remove¦swap_remove»($K); $W = t_; }
---
{ let t_ = $W.clone(); $W.extend«_from_slice(&t_[..2])¦(t_.iter().map(|v_| v_ * 0.5).take(2))¦\
(t_.into_iter().skip(1).take(1))»; }
---
$W.retain(|v_| *v_ > 0.3); KEEP
---
$W.dedup_by(|l_, r_| (*l_ - *r_).abs() < 0.1); KEEP
---
$W.drain(..1); KEEP
---
{ let mut t_ = vec![$V, $V, 0.4]; $W.append(&mut t_); }
---
{ let t_ = $W.split_off(2); $W.extend(t_.into_iter().rev()); }
---
$W.splice(«0..1¦1..2¦..», [0.3, 0.6]); KEEP
---
$W.truncate(3);
---
$W.«reserve(12)¦shrink_to_fit()¦clear()¦rotate_left(1)»; KEEP
---
$W = $W.«clone()¦iter().rev().copied().collect()¦iter().map(|v_| f64::sin(*v_)).collect()¦\
iter().filter(|v_| **v_ > 0.2).cloned().collect()¦chunks(2).map(|c_| c_[0]).collect()»; KEEP
---
$W = [$V, 0.3, $V].to_vec();
---
{ let mut t_ = vec![$V; 4]; mem::swap(&mut $W, &mut t_); }
---
if let Some(v_) = $W.«first_mut()¦last_mut()¦iter_mut().nth(1)¦get_mut(1)» { *v_ = f64::sin(*v_); }
"""
CONTAINERS = """
let mut v@: Vec<f64> = «vec![$V; n]¦vec![$V, $V, 0.3, $V]¦$N.iter().cloned().collect()¦\
(0..n).map(|i_| $V * i_ as f64).collect()¦Vec::with_capacity(2)»;
v@.resize(v@.len().max(3), $V);
+vector v@
CHANGE
?5 CHANGE
BLOCK
$P = f64::tanh(v@.iter().sum::<f64>() + $V);
---
let mut rows@ = vec![vec![$V; n]; 3];
?4 rows@.push(vec![$V, $V, 0.4]);
?4 rows@.swap(0, 2);
?3 rows@[1] = rows@[0].clone();
?3 { let row_ = rows@.remove(0); rows@.insert(1, row_); }
?2 rows@.resize(5, vec![0.1, $V, 0.3]);
?3 rows@.sort_by(|l, r| l[0].partial_cmp(&r[0]).unwrap());
for i@ in 0..3 {
+array rows@[i@]
+array rows@[(i@ + 1) % 3]
BLOCK
}
$P = rows@.iter().map(|row_| row_.iter().map(|v_| v_.sin()).sum::<f64>()).sum::<f64>().tanh();
?3 $P = rows@.concat().iter().sum::<f64>().tanh();
?3 $P = rows@.into_iter().flatten().fold(0.3, |s_: f64, v_| (s_ + v_).sin());
---
let mut grid@ = [[$V, 0.2, $V], [0.4, $V, $V]];
+array grid@[0]
+array grid@[1]
for row_ in &mut grid@ { row_[1] = f64::sin(row_[0] * row_[2]); }
BLOCK
?4 grid@.swap(0, 1);
?4 { let [one_, two_] = grid@; grid@ = [two_, one_]; }
$P = f64::tanh(grid@.iter().flatten().sum());
---
let mut all@: Vec<[f64; 3]> = vec![[$V, 0.2, $V]; n];
for i@ in 1..n {
+array all@[i@]
+array all@[i@ - 1]
all@[i@][1] = f64::sin(all@[i@ - 1][0] * $V);
BLOCK
}
?4 all@.sort_by(|l, r| l[1].total_cmp(&r[1]));
for [l_, m_, r_] in &all@ { $S += 0.1 * l_ * m_ - 0.2 * r_; }
---
let mut deque@: VecDeque<f64> = «VecDeque::from(vec![$V, $V, 0.6])¦VecDeque::from([$V, 0.5, $V])¦$N.iter().copied()\
.collect()»;
for i@ in 0..$C {
{ let v_ = $V; deque@.push_«back¦front»(v_); }
if deque@.len() > 3 { deque@.pop_«back¦front»(); }
}
?3 deque@.rotate_left(1);
?3 deque@.«make_contiguous().sort_by(|l, r| l.total_cmp(r))¦swap(0, 2)¦extend([0.3, 0.1])¦insert(1, 0.4)¦truncate(3)¦\
iter_mut().for_each(|v_| *v_ = v_.sin())»;
+array deque@
BLOCK
-array deque@
$P = f64::tanh(deque@.iter()«.rev()¦».fold(0.0, |s_, v_| 0.7 * s_ + v_));
while let Some(v@) = deque@.pop_front() {
$P = f64::sin($V + v@);
}
---
let mut map@: «BTreeMap¦HashMap»<usize, f64> = Default::default();
for i_ in 0..$# { let v_ = $N[i_] * 0.7; *map@.entry(i_ «* 7 % 5¦% 3¦+ 1»).or_insert(«0.2¦$V») += v_; }
?4 { let k_ = $K; map@.remove(&k_); }
?5 { let t_ = $V; if let Some(v_) = map@.get_mut(&$K) { *v_ = f64::sin(*v_ + t_); } }
{ let v_ = $V; map@.insert(9, v_); }
?4 { let mut copy_ = map@.clone(); copy_.insert(1, 0.3); mem::swap(&mut map@, &mut copy_); }
?3 map@.retain(|k_, v_| k_ % 2 == 1 || *v_ > 0.4);
?4 map@.entry(1).and_modify(|v_| *v_ = v_.tanh()).or_insert_with(|| 0.3);
{ let t_ = $V; for (k_, v_) in map@.iter_mut() { *v_ = f64::sin(*v_ * t_ + 0.1 * *k_ as f64); } }
{ let s_ = map@.«values().sum::<f64>()¦iter().map(|(k_, v_)| v_ * *k_ as f64).sum::<f64>()¦\
get(&1).copied().unwrap_or(0.3)¦into_values().map(f64::sin).sum::<f64>()»; $P = s_.tanh(); }
---
let mut tree@: BTreeMap<i64, f64> = (0..4).map(|i_| (i_ * 3 % 4, $V + 0.1 * i_ as f64)).collect();
?4 { let part_ = tree@.split_off(&2); tree@.extend(part_.into_iter().map(|(k_, v_)| (k_ + 1, v_ * 0.7))); }
?4 if let Some(mut at_) = tree@.first_entry() { *at_.get_mut() = 0.4; }
?4 if let Some((_, v_)) = tree@.pop_last() { $P = f64::sin(v_); }
?5 { let s_ = tree@.range(1..3).map(|(_, v_)| v_ * v_).sum::<f64>(); $P = s_.tanh(); }
for (k@, v@) in &tree@ {
$P = f64::sin(*v@ + $V * *k@ as f64);
?5 BLOCK
}
---
let mut lists@: «BTreeMap¦HashMap»<usize, Vec<f64>> = Default::default();
for i_ in 0..$# { let v_ = $N[i_]; lists@.entry(i_ % 3).or_default().push(v_); }
for list_ in lists@.values_mut() { let s_ = list_.iter().sum::<f64>(); list_.push(s_.sin()); }
{ let s_ = lists@.values().map(|list_| list_[0] * list_[list_.len() - 1]).sum::<f64>(); $P = s_.tanh(); }
---
let mut places@: BTreeMap<«i32¦(i32, i32)¦char¦&str», Point> = BTreeMap::new();
{ let p_ = Point::new($V, $V, 0.3); places@.insert(Default::default(), p_); }
if let Some(p_) = places@.values_mut().next() { *p_ += p_.turned(0.3); }
$P = places@.values().map(|p_| p_.dot(p_)).sum::<f64>().tanh();
---
let mut parts@: BTreeMap<String, f64> = BTreeMap::new();
for (i_, k_) in ["mass", "a rather long name", "x"].iter().enumerate() { parts@.insert(k_.to_string(), 0.2 * i_ as \
f64); }
{ let v_ = $V; parts@.insert("mass".to_string(), v_); *parts@.get_mut("x").unwrap() += v_ * v_; }
{ let v_ = parts@["mass"] * parts@["x"] + parts@.values().sum::<f64>(); $P = v_.sin(); }
---
let mut heap@ = BinaryHeap::new();
for i_ in 0..$# { heap@.push(«i_ * 7 % 5¦Reverse(i_ * 7 % 5)¦(i_ % 3, i_)»); }
let mut rank@ = 0.5;
while let Some(_) = heap@.pop() {
rank@ *= 0.6;
$S += rank@ * $V;
}
---
let mut queue@ = BinaryHeap::from([(Reverse(2_usize), 0_usize)]);
let mut cost@ = vec![$V; 5];
+vector cost@
while let Some((Reverse(far@), at@)) = queue@.pop() {
cost@[at@ % 3] = f64::sin(cost@[(at@ + 1) % 3] + 0.1 * far@ as f64);
?5 BLOCK
if at@ < 3 { queue@.push((Reverse(far@ + 2 * at@), at@ + 1)); }
if at@ == 1 { queue@.push((Reverse(1), 4)); }
}
---
let mut order@: Vec<usize> = (0..$#).collect();
order@.sort_«by¦unstable_by»(|l, r| $N[*l].partial_cmp(&$N[*r]).unwrap());
let mut share@ = 1.0;
for i_ in &order@ { $S += share@ * $N[*i_]; share@ *= 0.6; }
---
let mut ranked@: Vec<(f64, usize)> = $N.iter().enumerate().map(|(i_, v_)| (*v_, i_)).collect();
ranked@.sort_«by¦unstable_by»(|l, r| «l.0.partial_cmp(&r.0).unwrap()¦l.partial_cmp(r).unwrap()¦\
r.0.total_cmp(&l.0).then(l.1.cmp(&r.1))»);
let mut rank@ = 0.5;
for (v_, i_) in ranked@.iter()«.rev()¦» { $S += rank@ * v_ * (1 + i_) as f64; rank@ *= 0.6; }
---
let flags@: Vec<bool> = $N.iter().map(|v_| *v_ > 0.5).collect();
for i_ in 0..$# { if flags@[i_] { $S += 0.2 * $N[i_]; } }
---
let mut seen@ = «BTreeSet¦HashSet»::new();
for i@ in 0..$# {
if seen@.insert(i@ * i@ % 4) { $S = f64::sin($S + $N[i@]); }
?5 BLOCK
}
$P = f64::tanh($V * seen@.len() as f64);
---
let mut old@ = vec![$V, $V, 0.1, 0.4];
let mut new@ = vec![$V; 4];
old@[1] = $V;
for i@ in 0..$C {
for j_ in 0..4 { new@[j_] = f64::sin(old@[(j_ + 1) % 4] + $V * old@[j_]); }
«mem::swap(&mut old@, &mut new@)¦old@.swap_with_slice(&mut new@)¦old@.copy_from_slice(&new@)¦\
old@ = mem::replace(&mut new@, vec![0.3; 4])»;
BLOCK
}
$P = f64::tanh(old@[0] * old@[1] + old@[2]);
---
let mut stack@ = vec![($V, 2_u32), ($V, 1)];
let mut sum@ = 0.1;
while let Some((v@, left@)) = stack@.pop() {
sum@ = f64::sin(sum@ + v@);
if left@ > 0 { stack@.push((v@ * 0.6, left@ - 1)); stack@.push((f64::cos(v@), left@ - 1)); }
?4 BLOCK
}
$P = sum@;
---
let boxed@: Box<[f64]> = «vec![$V, $V, 0.4].into_boxed_slice()¦Box::new([$V, 0.2, $V])¦\
$N.iter().map(|v_| v_ * 0.6).collect()»;
let mut copy@ = boxed@.«clone()¦to_vec()¦iter().rev().copied().collect::<Vec<f64>>()»;
+array copy@
BLOCK
$P = f64::tanh(boxed@[1] * copy@[2] + boxed@.iter().sum::<f64>());
"""
