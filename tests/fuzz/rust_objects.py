"""More Rust statements as texts (see `rust_statements`): those with types of the user's own, and those in `f32`."""

from __future__ import annotations

OBJECTS = """
let mut shapes@: Vec<Box<dyn Shape>> = vec![Box::new($SHAPE)];
?7 shapes@.push(Box::new($SHAPE));
?5 if $B { shapes@.push(Box::new($SHAPE)); } else { shapes@.insert(0, Box::new($SHAPE)); }
?3 shapes@.reverse();
?3 shapes@.sort_by(|l, r| l.measure(0.5).partial_cmp(&r.measure(0.5)).unwrap());
?3 { let last_ = shapes@.len() - 1; shapes@.swap(0, last_); }
for i@ in 0..shapes@.len() {
{ let v_ = $V; shapes@[i@].grow(v_); }
$P = 0.5 * shapes@[i@].measure($V);
BLOCK
}
?3 if let Some(shape_) = shapes@.pop() { $P = shape_.measure(0.7); }
$P = shapes@.iter().map(|shape_| total(shape_.as_ref(), 0.8)).sum::<f64>().tanh();
---
let mut ball@ = $SHAPE;
{ let v_ = $V; ball@.grow(v_); }
let as_shape@: &«¦mut »dyn Shape = &mut ball@;
$P = f64::tanh(as_shape@.measure($V) + total(as_shape@, $V) * 0.3);
$P = 0.4 * total(&ball@, $V);
---
let shape@: Rc<dyn Shape> = if $B { Rc::new($SHAPE) } else { Rc::new($SHAPE) };
?5 let all@ = [shape@.clone(), Rc::clone(&shape@)];
$P = shape@.measure($V);
---
let mut points@ = «vec![¦[»Point::new($V, $V, 0.2), Point::new(0.4, $V, $V), Point::new($V, 0.1, $V)];
?4 points@.sort_«by¦unstable_by»(|l, r| «l.x.partial_cmp(&r.x).unwrap()¦r.dot(r).total_cmp(&l.dot(l))¦\
l.y.sin().total_cmp(&r.y.sin())»);
for i@ in 0..3 {
+scalar points@[i@].x
+scalar points@[(i@ + 1) % 3].z
{ let p_ = points@[(i@ + 1) % 3] * 0.3; points@[i@] += -p_; }
BLOCK
}
?4 points@.rotate_left(1);
?4 points@[0] = points@[1].turned($V);
let total@: Point = points@.iter().«copied()¦map(|p_| p_.turned(0.2))».sum();
$P = f64::sin(total@.dot(&points@[1]));
---
let mut records@: Vec<Record> = Vec::new();
for i@ in 0..3 {
let r_ = Record { key: (i@ * 2 % 3) as i32, value: $V, more: vec![$V; i@ + 1], at: Point::new($V, 0.1, 0.4) };
records@.«push(r_)¦insert(0, r_)»;
}
?4 records@.sort_«by¦unstable_by»(|l, r| «l.key.cmp(&r.key)¦r.value.partial_cmp(&l.value).unwrap()»);
?2 records@.sort_by_key(|r_| r_.key);
?4 records@[0] = records@[«1¦2»].clone();
?3 { let r_ = records@.remove($K); records@.push(r_); }
?3 records@.swap(0, 2);
?3 records@.retain(|r_| r_.key != 1);
for r@ in records@.iter_mut() {
+scalar r@.value
+scalar r@.more[0]
+scalar r@.at.x
{ let v_ = $V; r@.more.push(v_); }
BLOCK
}
for Record { key, value, more, at } in &records@ { $S += 0.1 * f64::from(*key) * value.sin() + 0.2 * more[0] * at.x; }
---
let mut functions@: Vec<Box<dyn FnMut(f64) -> f64>> = vec![Box::new($CALL)];
?7 functions@.push(Box::new($CALL));
?4 if $B { functions@.push(Box::new($CALL)); }
?3 functions@.reverse();
let mut through@ = $V;
for f_ in functions@.iter_mut() { through@ = f_(through@); }
$P = f64::tanh(through@);
---
let functions@: [Box<dyn Fn(f64) -> f64>; 2] = [boxed($K, $V), «boxed($K, $V)¦Box::new(scaled($V))¦Box::new(f64::cos)»];
$P = functions@.iter().fold($V, |v_, f_| f_(v_));
---
let table@: [fn(f64) -> f64; 3] = [f64::sin, f64::tanh, |v_| v_ * 0.5];
for i@ in 0..3 {
$P = table@[i@]($V);
BLOCK
}
---
let mut seen@ = $V;
let by@ = $V;
let mut f@ = |v_: f64| { seen@ = f64::tanh(seen@ + 0.2 * v_); v_ * by@ };
for i@ in 0..3 {
{ let v_ = f@(0.3 * i@ as f64); $P = f64::sin(v_); }
BLOCK
}
$P = 0.3 * seen@;
---
let mut law@ = $LAW;
?5 if $B { law@ = $LAW; }
{ let v_ = $V; law@.grow(v_); }
?4 { let old_ = mem::replace(&mut law@, Law::Zero); law@ = Law::Twice(Box::new(old_)); }
$P = law@.at($V);
match &law@ {
Law::Line(a@, b@) if *a@ > 0.2 => {
$P = a@ * b@ + 0.3;
BLOCK
}
Law::Points(all@) => {
$P = f64::sin(all@[0] + $V);
}
_ => {
BLOCK
}
}
---
let mut laws@ = vec![$LAW, $LAW];
?5 if $B { laws@.push($LAW); }
?4 laws@.swap(0, 1);
?4 { let copy_ = laws@.clone(); laws@.extend(copy_); }
{ let v_ = $V; laws@.iter_mut().for_each(|law_| law_.grow(v_)); }
$P = laws@.iter().fold($V, |v_, law_| law_.at(v_));
---
let mut tree@ = Node { v: $V, left: None, right: None };
for i_ in 0..$# { let v_ = $N[i_] * (1.0 - 0.3 * i_ as f64); tree@.insert(v_); }
?4 { let Node { left, right, .. } = &mut tree@; mem::swap(left, right); }
?3 if let Some(sub_) = tree@.left.take() { tree@.v += 0.3 * sub_.total(); }
$P = f64::tanh(tree@.total());
---
let mut head@: Option<Box<Link>> = None;
for i_ in 0..$C { head@ = Some(Box::new(Link { v: $V + 0.1 * i_ as f64, next: head@ })); }
{ let mut at_ = head@.as_mut(); while let Some(link_) = at_ { link_.v = link_.v.sin() \
+ link_.next.as_ref().map_or(0.2, |n_| 0.3 * n_.v); at_ = link_.next.as_mut(); } }
?5 { let mut back_ = None; while let Some(mut link_) = head@.take() { head@ = link_.next.take(); \
link_.next = back_; back_ = Some(link_); } head@ = back_; }
let mut decay@ = 0.5;
{ let mut at_ = &head@; while let Some(link_) = at_ { $S += decay@ * link_.v; decay@ *= 0.6; at_ = &link_.next; } }
---
let one@ = Rc::new(RefCell::new(Member { v: $V, friends: vec![] }));
let two@ = Rc::new(RefCell::new(Member { v: $V, friends: vec![one@.clone()] }));
if $B { one@.borrow_mut().v = $X; }
let three@ = Member { v: 0.3, friends: vec![one@.clone(), two@.clone(), «one@.clone()¦Rc::clone(&two@)»] };
for f_ in &three@.friends { let v_ = f_.borrow().v; f_.borrow_mut().v = (v_ + 0.2).sin(); }
$P = three@.friends.iter().map(|f_| f_.borrow().v).sum::<f64>().tanh();
$P = two@.borrow().friends.iter().fold($V, |s_, f_| s_ * f_.borrow().v);
---
let shared@ = Rc::new(RefCell::new(vec![$V; 3]));
let mut all@ = vec![shared@.clone(), shared@.clone(), Rc::clone(&shared@)];
?5 all@[1] = Rc::new(RefCell::new(shared@.borrow().clone()));
for i_ in 0..3 { let v_ = shared@.borrow()[0]; all@[i_].borrow_mut()[i_] += (v_ * 0.7).sin(); }
{ let v_ = shared@.borrow(); $P = f64::tanh(v_[0] * v_[2] + all@[1].borrow()[1]); }
---
let weak@: Weak<Vec<f64>>;
let strong@ = Rc::new(vec![$V, $V, 0.3]);
weak@ = Rc::downgrade(&strong@);
let sum@ = weak@.upgrade().map_or(0.3, |v_| v_.iter().sum::<f64>());
$P = f64::sin(sum@ * strong@[1]);
---
let mut row@ = Rc::new([$V, $V, 0.3]);
let kept@ = row@.clone();
{ let v_ = $V; Rc::make_mut(&mut row@)[1] = v_; }
$P = f64::tanh(row@[1] * kept@[1] + row@[0]);
---
let cell@ = Cell::new($V);
for i@ in 0..3 {
cell@.set(f64::sin(cell@.get() + $V));
{ let _guard = Guard { to: &cell@, v: $V }; cell@.set(cell@.get() * 0.8); }
BLOCK
}
$P = cell@.«get()¦replace(0.3)¦into_inner()»;
---
let cells@ = [Cell::new($V), Cell::new($V), Cell::new(0.4)];
cells@[0].swap(&cells@[2]);
for c_ in &cells@ { c_.set((c_.get() + 0.1).sin()); }
$P = cells@.iter().map(|c_| c_.get()).sum::<f64>().tanh();
---
let mut m@ = Matrix { at: [[$V, 0.3, $V], [$V, $V, 0.1]] };
let mut t@ = Matrix::<3, 2> { at: [[0.2; 2]; 3] };
for i_ in 0..3 { for j_ in 0..2 { t@[(i_, j_)] = m@[(j_, i_)] * $V; } }
m@[(1, $K)] = $V;
let mut p@ = m@ * t@;
if $B { p@ = p@ * p@; }
$P = f64::sin(p@[(0, 0)] * p@[(1, 1)] - p@[(0, 1)]);
---
let mut maybe@: Option<f64> = if $B { Some($V) } else { None };
$P = maybe@.«unwrap_or($V)¦map(f64::sin).unwrap_or(0.2)¦map_or(0.3, |v_| v_ * v_)¦filter(|v_| *v_ > 0.5)\
.unwrap_or_default()¦and_then(root).unwrap_or(0.1)¦or(Some($V)).unwrap()¦zip(Some($V)).map_or(0.1, |(l_, r_)| l_ * r_)¦\
xor(None).unwrap_or(0.7)¦iter().sum::<f64>()».sin();
?5 { let v_ = $V; *maybe@.get_or_insert(v_) *= 0.7; }
?5 { let v_ = $V; if let Some(old_) = maybe@.«replace(v_)¦take()» { $P = old_.sin(); } }
if let Some(v_) = maybe@.as_mut() { *v_ = v_.tanh(); }
$P = f64::tanh(maybe@.unwrap_or(0.2));
---
let mut where@: Option<Point> = None;
for i@ in 0..3 {
if $B { where@ = Some(Point::new($V, 0.2, $V)); } else if let Some(p_) = &mut where@ { *p_ += Point::new(0.1, 0.3, 0\
.2); }
?4 if $B { where@ = None; }
?5 BLOCK
}
let Some(there@) = where@.or(Some(Point::new($V, 0.1, 0.1))) else { unreachable!() };
$P = f64::sin(there@.dot(&there@));
---
let mut list@: Option<Box<(f64, Vec<f64>)>> = Some(Box::new(($V, vec![$V, 0.3])));
?4 if $B { list@ = None; }
if let Some(b_) = &mut list@ { b_.1.push(b_.0.sin()); b_.0 *= 0.7; }
$P = list@.map_or(0.3, |b_| b_.0 * b_.1[b_.1.len() - 1]);
---
let mut tuple@ = ($V, 2_i32, Point::new($V, 0.3, 0.1), [$V, 0.4]);
+scalar tuple@.0
+scalar tuple@.2.x
?5 BLOCK
let (ref mut one@, two@, three@, [l@, r@]) = tuple@;
*one@ += three@.x * f64::from(two@) * l@;
(tuple@.2.y, tuple@.2.z) = if *one@ < r@ { (*one@, r@) } else { (r@, *one@) };
$P = f64::sin(tuple@.0 * tuple@.2.y + tuple@.2.z);
---
let one@ = Quantity::<Metre> { v: $V, unit: PhantomData };
let all@ = [one@, Quantity { v: $V, unit: PhantomData }];
$P = f64::tanh(all@.iter().fold(one@, |s_, q_| s_ + *q_).v);
---
let outcome@ = «checked($V, $K)¦both($V, $V)¦checked($V, $K).and_then(|v_| checked(v_ - 1.4, 1))¦\
[$V, $V].iter().map(|v_| checked(*v_, 2)).sum::<Result<f64, Trouble>>()»;
match outcome@ {
Ok(v@) => {
$P = f64::sin(v@);
BLOCK
}
Err(Trouble::Small(v@)) => {
$P = 0.4 * v@;
}
Err(other@) => {
$P = other@.told();
}
}
---
let mut steps@ = Steps { at: $V, by: $V, left: $C };
while let Some(v@) = steps@.next() {
$P = f64::tanh(v@ + $V);
BLOCK
}
$P = steps@.at;
---
let text@ = «"sine".to_string()¦String::from("square")¦["so", "me"].concat()»;
$P = named(&text@, $V);
---
static TABLE@: [f64; 4] = [0.3, 0.8, 0.5, 0.1];
$P = 0.3 * TABLE@.iter().zip($A.iter()).map(|(l_, r_)| l_ * r_).sum::<f64>();
---
fn deeper@(f: &dyn Fn(f64) -> f64, v: f64, left: usize) -> f64 { if left == 0 { v } else { deeper@(f, f(v), left - 1) \
} }
let by@ = $V;
$P = deeper@(&|v_| f64::sin(v_ + by@), $V, 3);
"""
FLOATS = """
f32_ = f32::sin(f32_ + $V as f32 * 0.3);
$P = 0.5 * f64::from(f32_);
BLOCK
---
let mut thin@: Vec<f32> = «$N.iter().map(|v_| *v_ as f32).collect()¦vec![f32_, $V as f32, 0.3]»;
thin@.sort_by(|l, r| l.partial_cmp(r).unwrap());
?5 thin@.push(f32_);
?5 thin@.iter_mut().for_each(|v_| *v_ = v_.tanh());
f32_ = f32::tanh(thin@.iter().sum::<f32>() + 0.2);
BLOCK
$P = f64::from(thin@[1] * f32_);
---
let mut mixed@ = vec![Mixed { a: $V as f32, b: $V, c: [f32_, 0.3] }; 2];
+scalar mixed@[0].b
mixed@.push(Mixed { a: f32_, b: $V, c: [0.2, $V as f32] });
?4 mixed@.swap(0, 2);
BLOCK
for m_ in &mut mixed@ { m_.b = (m_.b * f64::from(m_.a)).sin(); m_.c[1] = m_.c[0] * m_.b as f32; }
$P = mixed@.iter().map(|m_| m_.b + f64::from(m_.c[1] * m_.a)).sum::<f64>().tanh();
---
let pair@ = (f32_ * 0.6, $V, 2_i32);
let (l@, r@, k@) = pair@;
f32_ = f32::sin(l@ * r@ as f32 + k@ as f32);
---
let mut maybe@: Option<f32> = None;
if $B { maybe@ = Some($V as f32); }
f32_ = maybe@.map_or(f32_, |v_| f32::cos(v_ * f32_));
$P = f64::from(maybe@.unwrap_or(0.3).mul_add(f32_, 0.1)).tanh();
---
let mut old@ = [f32_; 4];
for i_ in 0..$C { old@[i_ % 4] = f32::sin(old@[(i_ + 1) % 4] + $V as f32); }
$P = f64::from(old@.iter().copied().fold(0.0, f32::max));
"""
