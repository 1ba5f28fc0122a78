"""C++ statements as texts (see `templates`), of which `cxx_programs` makes random ones.

    $V $P $S   a value; a place that may be assigned; the name of a scalar
    $A $W      an array whose elements lie one behind the other, a vector; three elements or more
    $L         a pair of iterators or pointers, `first, last`, over three elements; $F: the first of them
    $N         any array; $#: how many elements it has
    $K $C $B   0, 1 or 2; a count; a condition
    $X         an expression that stays bounded

What changes containers keeps three elements.
"""

from __future__ import annotations

SIMPLE = """
std::sort($L«|, std::greater<>()|, [](double l, double r) { return std::sin(l) < std::sin(r); }»);
---
std::stable_sort($L);
---
{ auto *at = &$A[0]; std::nth_element(at, at + 1, at + 3); }
---
{ auto *at = &$A[0]; std::partial_sort(at, at + 2, at + 3); }
---
{ auto *at = &$A[0]; std::make_heap(at, at + 3); std::pop_heap(at, at + 3); }
---
std::partition($L, [](double v_) { return v_ > 0.5; });
---
$P = 0.4 * std::accumulate($L, $V);
---
$P = 0.4 * std::accumulate($L, 1.0, [](double s_, double v_) { return s_ * std::cos(v_); });
---
$P = 0.4 * std::tanh(std::«inner_product|transform_reduce»($L, $F, 0.3));
---
$P = 0.4 * std::tanh(std::reduce($L));
---
$P = 0.4 * *std::«max|min»_element($L);
---
$P = 0.4 * *std::min_element($L, [](double l, double r) { return l * l < r * r; });
---
$P = «std::clamp($V + 0.0, -0.7, 0.9)|std::lerp($V + 0.0, $V + 0.0, 0.3)|std::tanh(std::hypot($V + 0.0, 1.0, \
$V + 0.0))»;
---
std::transform($L, $F, [](double v_) { return std::sin(v_); });
---
{ double by = $S; std::transform($L, $F, $F, [&](double l, double r) { return 0.5 * std::tanh(l) \
+ std::tanh(r * by); }); }
---
{ double by = $S; std::for_each($L, [&](double &v_) { v_ = std::tanh(v_ + 0.1 * by); }); }
---
{ auto *at = &$A[0]; std::«partial_sum|adjacent_difference»(at, at + 3, at); }
---
{ auto *at = &$A[0]; std::inclusive_scan(at, at + 3, at, [](double l, double r) { return 0.8 * l + std::sin(r); }); }
---
std::generate($L, [v_ = $V]() mutable { return v_ = std::cos(v_); });
---
std::«fill|iota»($L, $V + 0.0);
---
std::replace_if($L, [](double v_) { return v_ < 0.3; }, $V + 0.0);
---
std::reverse($L);
---
{ auto *at = &$A[0]; std::rotate(at, at + «1|2», at + 3); }
---
{ auto *at = &$A[0]; std::«copy_backward(at, at + 2, at + 3)|move(at + 1, at + 3, at)|iter_swap(at, at + 2)»; }
---
{ std::array<double, 3> t_; std::copy($L, t_.begin()); std::reverse_copy(t_.begin(), t_.end(), $F); }
---
{ double t_ = std::exchange(*($F), $V + 0.0); $S += 0.3 * t_; }
---
{ auto *at = &$A[0]; if (auto it = std::find_if(at, at + 3, [](double v_) { return v_ > 0.6; }); it != at + 3) \
*it = $X; }
---
$P += 0.1 * std::count_if($L, [](double v_) { return v_ > 0.6; });
---
if (std::any_of($L, [](double v_) { return v_ < 0.2; })) $P = $X;
---
{ auto [low, high] = std::minmax_element($L); std::iter_swap(low, high); }
"""
CHANGES = """
$W.push_back($V);
---
for (int i = 0; i < $C; i++) $W.push_back($V * i);
---
{ auto &v_ = $W; v_.insert(v_.begin() + $K, $V); }
---
{ auto &v_ = $W; auto from_ = $W; v_.insert(v_.end(), from_.begin(), from_.begin() + 2); }
---
{ auto &v_ = $W; v_.push_back($V); v_.erase(v_.begin() + $K); }
---
{ auto &v_ = $W; v_.emplace_back($V); v_.pop_back(); }
---
{ auto &v_ = $W; v_.resize(v_.size() + 1, $V); }
---
$W.«reserve(12)|shrink_to_fit()|assign(4, $V + 0.0)»;
---
$W = $W;
---
{ auto t_ = $W; $W = std::move(t_); }
---
{ std::vector<double> t_(4, $V); std::swap($W, t_); }
---
{ std::vector<double> t_; for (double e_ : $W) if (e_ > 0.3) t_.push_back(e_); t_.resize(3, $V); $W.swap(t_); }
---
{ auto &v_ = $W; v_.erase(std::remove_if(v_.begin(), v_.end(), [](double e_) { return e_ < 0.2; }), v_.end()); \
v_.resize(std::max<size_t>(v_.size(), 3), 0.4); }
---
$W.at($K) = $X;
---
{ auto &v_ = $W; v_.back() *= v_.front(); }
"""
CONTAINERS = """
std::vector<double> v@«(n, $V)| = {$V, $V, 0.3, $V}|($L)»;
+vector v@
CHANGE
?5 CHANGE
BLOCK
$P = std::tanh(std::accumulate(v@.begin(), v@.end(), $V));
---
std::vector<std::vector<double>> rows@(3, std::vector<double>(n, $V));
?4 rows@.push_back({$V, $V, 0.4});
?4 std::swap(rows@[0], rows@[2]);
?3 rows@[1] = rows@[0];
?3 rows@.erase(rows@.begin()); rows@.insert(rows@.begin() + 1, std::vector<double>(3, $V));
?2 rows@.resize(5, {0.1, $V, 0.3});
for (int i@ = 0; i@ < 3; i@++) {
+vector rows@[i@]
+array rows@[(i@ + 1) % 3]
BLOCK
}
for (const auto &row_ : rows@) for (double e_ : row_) $S += 0.1 * std::sin(e_);
---
std::array<std::unique_ptr<double[]>, 3> owned@;
for (int i = 0; i < 3; i++) owned@[i] = std::make_unique<double[]>(3 + i);
for (int i = 0; i < 3; i++) for (int j = 0; j < 3 + i; j++) owned@[i][j] = $V * (i + j);
for (int i@ = 0; i@ < 3; i@++) {
+array owned@[i@]
+array owned@[2 - i@]
if ($B) std::swap(owned@[0], owned@[i@]);
BLOCK
}
for (int i = 0; i < 3; i++) $S += 0.2 * owned@[i][2 - i] * owned@[i][0];
---
std::deque<double> deque@{$V, $V, 0.6};
for (int i@ = 0; i@ < $C; i@++) {
deque@.push_«back|front»(deque@.front() * $V);
if (deque@.size() > 3) deque@.pop_«back|front»();
}
+array deque@
BLOCK
$P = std::tanh(std::accumulate(deque@.rbegin(), deque@.rend(), 0.0, [](double s_, double e_) { \
return 0.7 * s_ + e_; }));
---
std::list<double> list@{$V, $V};
for (int i = 0; i < $C; i++) list@.push_«back|front»($V + 0.1 * i);
?5 list@.«reverse()|sort()|insert(std::next(list@.begin()), $V)|splice(list@.begin(), list@, std::prev(list@.end()))»;
?3 list@.remove_if([](double v_) { return v_ > 1.2; }), list@.push_back(0.3);
?3 { std::list<double> other_ = list@; list@.splice(list@.end(), other_); }
?3 { auto at_ = list@.begin(); *at_ = $V; at_ = list@.erase(at_); list@.insert(at_, 0.2); }
for (double &e@ : list@) {
+scalar e@
e@ = $X;
BLOCK
}
double decay@ = 1;
for (double v_ : list@) { decay@ *= 0.6; $S += decay@ * v_; }
---
std::forward_list<double> ahead@{$V, $V, 0.3};
ahead@.push_front($V);
?5 ahead@.«reverse()|sort()|insert_after(ahead@.begin(), $V)|remove_if([](double v_) { return v_ > 0.9; })»;
for (double &v_ : ahead@) v_ = std::sin(v_ + 0.2);
$P = 0.3 * std::accumulate(ahead@.begin(), ahead@.end(), $V);
---
std::map<int, double«|, std::greater<int>»> map@;
for (int i = 0; i < $#; i++) map@[«i * 7 % 5|i % 3|-i»] «+=|=» $N[i] * $V;
?4 map@.erase($K);
?4 { auto copy_ = map@; map@.swap(copy_); copy_[1] *= $V; for (const auto &[k_, v_] : copy_) $S += 0.1 * v_ * k_; }
?5 if (auto it_ = map@.find($K); it_ != map@.end()) it_->second = $X;
?4 if (auto it_ = map@.«lower|upper»_bound(1); it_ != map@.end()) $P = std::sin(it_->second);
map@.emplace(9, $V);
?2 { auto node_ = map@.extract(9); node_.key() = 11; map@.insert(std::move(node_)); }
for (auto &[key@, value@] : map@) {
value@ = std::sin(value@ * $V + 0.1 * key@);
BLOCK
}
for (auto it_ = map@.rbegin(); it_ != map@.rend(); ++it_) $S += 0.2 * it_->second * it_->first;
---
std::unordered_map<int, double> hash@;
for (int i = 0; i < $#; i++) hash@[«i * 7 % 5|i % 3|i»] «+=|=» $N[i] * $V;
?5 hash@.erase($K);
?3 { auto copy_ = hash@; for (auto &[k_, v_] : copy_) v_ *= $V; hash@ = copy_; }
for (auto &[k_, v_] : hash@) v_ = std::tanh(v_ + $V);
$P = std::sin(hash@[1] * $V + hash@[$K]);
---
std::«map|map|unordered_map»<std::string, double> named@;
named@["mass"] = $V;
named@["a rather long name of a parameter"] = $V;
for (int i = 0; i < 3; i++) named@["x" + std::to_string(i)] += $V * i;
$P = std::sin(named@["mass"] * named@["x1"] + named@.at("a rather long name of a parameter"));
---
std::map<int, std::vector<double>> lists@;
for (int i = 0; i < $#; i++) lists@[i % 3].push_back($N[i] * $V);
for (auto &[k_, list_] : lists@) list_.push_back(std::accumulate(list_.begin(), list_.end(), 0.1 * k_));
for (const auto &[k_, list_] : lists@) $S += std::sin(list_.front() * list_.back());
---
std::«set|multiset»<double> set@;
for (int i = 0; i < $#; i++) set@.insert($N[i] + 0.1 * i);
?5 set@.erase(set@.begin());
set@.insert($V);
double weight@ = 1;
for (double v_ : set@) { $S += weight@ * v_; weight@ *= 0.5; }
$P = std::sin(*set@.rbegin() * *set@.begin());
---
std::priority_queue<double«|, std::vector<double>, std::greater<>»> queue@;
for (int i = 0; i < $#; i++) queue@.push($N[i] * (1 + 0.3 * i));
while (queue@.size() > 1) {
double one@ = queue@.top();
queue@.pop();
double two@ = queue@.top();
queue@.pop();
queue@.push(0.4 * one@ + std::sin(two@));
}
$P = std::tanh(queue@.top());
---
std::priority_queue<std::pair<double, int>> events@;
for (int i = 0; i < $#; i++) events@.emplace($N[i] * (1 + 0.3 * i), i);
double clock@ = 0;
while (!events@.empty()) {
auto [when@, who@] = events@.top();
events@.pop();
clock@ = std::tanh(clock@ + when@ * 0.5);
if (who@ > 1 && who@ < 9) events@.emplace(when@ * 0.8 + 0.1 * $V, who@ + 7);
}
$P = clock@;
---
std::stack<double«|, std::vector<double>»> stack@;
for (int i = 0; i < $C; i++) stack@.push($V + 0.1 * i);
stack@.push($V);
stack@.push($V);
while (stack@.size() > 1) { double top_ = stack@.top(); stack@.pop(); stack@.top() = std::sin(stack@.top() \
+ 0.5 * top_); }
$P = stack@.top();
---
std::queue<Point> waiting@;
for (int i = 0; i < 3; i++) waiting@.push({$V, 0.1 * i, $V});
for (int i = 0; i < $C; i++) { Point p_ = waiting@.front(); waiting@.pop(); \
p_.x = std::sin(p_.dot(waiting@.back())); waiting@.push(p_ * 0.7); }
$P = std::tanh(waiting@.front().x + waiting@.back().z);
---
std::valarray<double> valarray@($V, 6);
for (int i = 0; i < 6; i++) valarray@[i] += 0.1 * i * $V;
?5 valarray@ = «std::sin(valarray@) * 0.5 + valarray@|valarray@.shift(1)|valarray@.cshift(2) * valarray@|\
valarray@.apply([](double v_) { return std::tanh(v_); })»;
?3 valarray@[std::slice(0, 3, 2)] = std::valarray<double>($V, 3);
?3 valarray@[valarray@ > 0.5] = $V;
?3 valarray@ *= valarray@.sum() * 0.1;
$P = std::sin(valarray@.sum() + valarray@.max() - valarray@.min());
---
std::complex<double> z@($V, $V);
std::vector<std::complex<double>> all@(3, z@);
for (int i = 0; i < 3; i++) all@[i] = «all@[i] * z@ + 0.2|std::exp(0.3 * all@[i])|std::sqrt(all@[i] + 2.0)|\
all@[i] / (2.0 + std::norm(z@))|std::polar(0.5 + std::abs(z@), 0.3 * i)|std::conj(all@[i]) * $V»;
$P = std::tanh(all@[1].real() - 0.4 * all@[2].imag() + std::norm(all@[0]));
---
std::vector<double> old@(4, $V), new@(4, 0.1);
old@[1] = $V;
for (int i@ = 0; i@ < $C; i@++) {
for (int j = 0; j < 4; j++) new@[j] = std::sin(old@[(j + 1) % 4] + $V * old@[j]);
«std::swap(old@, new@)|old@.swap(new@)|old@ = new@|old@ = std::move(new@), new@ = std::vector<double>(4, 0.3)»;
BLOCK
}
$P = std::tanh(old@[0] * old@[1] + old@[2]);
---
std::vector<int> order@($#);
std::iota(order@.begin(), order@.end(), 0);
std::«sort|stable_sort»(order@.begin(), order@.end(), [&](int l, int r) { return $N[l] < $N[r]; });
double share@ = 1;
for (int at_ : order@) { $S += share@ * $N[at_]; share@ *= 0.6; }
---
std::vector<bool> flags@($#);
for (int i = 0; i < $#; i++) flags@[i] = $N[i] > 0.5;
for (int i = 0; i < $#; i++) if (flags@[i]) $S += 0.2 * $N[i];
---
std::vector<std::pair<double, int>> ranked@;
for (int i = 0; i < $#; i++) ranked@.emplace_back($N[i], i);
std::«sort|stable_sort»(ranked@.begin(), ranked@.end());
double rank@ = 0.5;
for (const auto &[value_, at_] : ranked@) { $S += rank@ * value_ * (1 + at_); rank@ *= 0.6; }
---
std::vector<std::array<double, 3>> grid@(n, {$V, 0.2, $V});
for (int i@ = 1; i@ < n; i@++) {
+array grid@[i@]
+array grid@[i@ - 1]
grid@[i@][1] = std::sin(grid@[i@ - 1][0] * $V);
BLOCK
}
for (const auto &row_ : grid@) $S += 0.1 * row_[0] * row_[1] - 0.2 * row_[2];
---
try {
BLOCK
?7 $P = std::sin($W.at($K));
} catch (const std::exception &) {
$S = 0;
}
"""
OBJECTS = """
std::vector<std::unique_ptr<Shape>> shapes@;
shapes@.push_back($SHAPE);
?7 shapes@.push_back($SHAPE);
?5 if ($B) shapes@.push_back($SHAPE); else shapes@.insert(shapes@.begin(), $SHAPE);
?3 std::swap(shapes@.front(), shapes@.back());
?3 std::sort(shapes@.begin(), shapes@.end(), [](const auto &l, const auto &r) { return l->measure(0.5) \
< r->measure(0.5); });
for (int i@ = 0; i@ < (int)shapes@.size(); i@++) {
shapes@[i@]->grow($V);
$P = 0.5 * shapes@[i@]->measure($V);
BLOCK
}
?3 if (auto *ball_ = dynamic_cast<Ball *>(shapes@[0].get())) $P = 0.7 * std::sin(ball_->r);
for (auto &shape_ : shapes@) $S += 0.1 * shape_->measure(0.8);
---
Both both@($V, $V);
const Named &as_named@ = both@;
Shape *as_shape@ = &both@;
as_shape@->grow($V);
$P = std::tanh(as_named@.weight() + as_shape@->measure($V));
---
Wave wave@;
wave@.k = $V;
$P = wave@.at($V);
---
«std::vector<Point>|std::array<Point, 3>|std::deque<Point>» points@ = {Point{$V, $V, 0.2}, Point{0.4, $V, $V}, \
Point{$V, 0.1, $V}};
?5 std::sort(points@.begin(), points@.end(), [](const Point &l, const Point &r) { return «l.x < r.x|l.dot(l) \
> r.dot(r)|std::sin(l.y) < std::sin(r.y)»; });
for (int i@ = 0; i@ < 3; i@++) {
+scalar points@[i@].x
+scalar points@[(i@ + 1) % 3].z
points@[i@] += points@[(i@ + 1) % 3] * (0.3 * $V);
BLOCK
}
?4 std::rotate(points@.begin(), points@.begin() + 1, points@.end());
Point total@ = std::accumulate(points@.begin(), points@.end(), Point{0, 0, 0});
$P = std::sin(total@.dot(points@[1]));
---
std::vector<std::function<double(double)>> functions@;
functions@.push_back($CALL);
?7 functions@.push_back($CALL);
?4 if ($B) functions@.push_back($CALL);
?3 std::swap(functions@.front(), functions@.back());
double through@ = $V;
for (const auto &one_ : functions@) through@ = one_(through@);
$P = through@;
---
double seen@ = $V;
auto f@ = [&](double v_) { seen@ = std::tanh(seen@ + 0.2 * v_); return v_ * $V; };
for (int i@ = 0; i@ < 3; i@++) {
$P = std::sin(f@($V));
BLOCK
}
$P += 0.3 * seen@;
---
std::function<double(double, int)> deep@ = [&](double v_, int k_) -> double { \
return k_ > 0 ? deep@(std::sin(v_ + $V), k_ - 1) : v_; };
$P = deep@($V, 3);
---
Buffer one@(«3|n|n - 2», $V);
+array one@
one@[1] = $X;
Buffer two@ = «one@|std::move(one@)»;
one@ = «two@|Buffer(4, 0.3)»;
+array two@
?5 std::swap(one@, two@);
BLOCK
-array two@
?5 one@ = std::move(two@);
for (double v_ : one@) $S += 0.2 * std::sin(v_);
---
Node tree@{$V, nullptr, nullptr};
for (int i = 0; i < $#; i++) tree@.insert($N[i] * (1 - 0.3 * i));
?4 std::swap(tree@.left, tree@.right);
?3 if (tree@.left) { auto sub_ = std::move(tree@.left); tree@.v += 0.3 * sub_->total(); }
$P = std::tanh(tree@.total());
---
std::shared_ptr<Link> head@;
for (int i = 0; i < $C; i++) head@ = std::make_shared<Link>(Link{$V + i, head@});
for (auto l_ = head@; l_; l_ = l_->next) l_->v = std::sin(l_->v) + (l_->next ? 0.3 * l_->next->v : $V);
?5 { std::shared_ptr<Link> back_; while (head@) { auto next_ = head@->next; head@->next = back_; back_ = head@; \
head@ = next_; } head@ = back_; }
double decay@ = 0.5;
for (auto l_ = head@.get(); l_; l_ = l_->next.get()) { $S += decay@ * l_->v; decay@ *= 0.6; }
---
auto shared@ = std::make_shared<std::vector<double>>(3, $V);
std::vector<std::shared_ptr<std::vector<double>>> all@(3, shared@);
if ($B) all@[1] = std::make_shared<std::vector<double>>(*shared@);
for (int i = 0; i < 3; i++) (*all@[i])[i] += std::sin($V * (*shared@)[0]);
$P = std::tanh((*shared@)[0] * (*all@[1])[1] + (*shared@)[2]);
---
Matrix<2, 3> m@{{{$V, 0.3, $V}, {$V, $V, 0.1}}};
Matrix<3, 2> t@;
for (int i = 0; i < 3; i++) for (int j = 0; j < 2; j++) t@[i][j] = m@[j][i] * $V;
auto p@ = m@ * t@;
if ($B) p@ = p@ * p@;
$P = std::sin(p@[0][0] * p@[1][1] - p@[0][1]);
---
std::vector<Either> either@;
either@.emplace_back(«$V + 0.0|Point{$V, $V, 0.3}|2»);
?7 either@.emplace_back(«$V + 0.0|Point{$V, $V, 0.3}|2»);
?5 if ($B) either@[0] = «$V + 0.0|Point{$V, $V, 0.3}|2»;
?5 for (auto &e_ : either@) if (auto *p_ = std::get_if<Point>(&e_)) p_->y = std::sin(p_->y + 0.3);
for (auto &e_ : either@) $S += std::visit(Weigh{}, e_);
---
std::optional<double> maybe@;
if ($B) maybe@ = $V;
$P = std::sin(maybe@.value_or($V));
if (maybe@) *maybe@ *= $V; else maybe@.emplace($V);
$P = std::tanh(*maybe@);
---
std::optional<Point> where@;
for (int i@ = 0; i@ < 3; i@++) {
if ($B) where@ = Point{$V, 0.2, $V}; else if (where@) *where@ += Point{0.1, $V, 0.3};
?4 if ($B) where@.reset();
}
if (where@) $P = std::sin(where@->dot(*where@));
---
std::tuple<double, int, Point> tuple@{$V, 2, Point{$V, 0.3, 0.1}};
auto &[one@, two@, three@] = tuple@;
one@ += three@.x * two@;
std::pair<double, double> pair@ = std::minmax({$V + 0.0, one@ + 0.0});
std::tie(three@.y, three@.z) = pair@;
$P = std::sin(std::get<0>(tuple@) * three@.y + std::get<2>(tuple@).z);
---
std::vector<Record> records@;
for (int i@ = 0; i@ < 3; i@++) records@.«push_back(Record{i@ * 2 % 3, $V, {$V, 0.2}, {$V, 0.1, 0.4}})|\
emplace_back(Record{3 - i@, $V, std::vector<double>(i@ + 1, $V), {0.2, $V, 0.4}})»;
?5 std::sort(records@.begin(), records@.end(), [](const Record &l, const Record &r) { return «l.key < r.key|\
l.value > r.value|l.more[0] < r.more[0]»; });
?4 { auto copy_ = records@; records@[0] = copy_[$K]; }
?3 records@.erase(records@.begin() + $K); records@.push_back(Record(records@[0]));
?3 std::swap(records@[0], records@[2]);
for (auto &r@ : records@) {
+scalar r@.value
+scalar r@.more[0]
+scalar r@.at.x
r@.more.push_back($V);
BLOCK
}
for (const auto &[key_, value_, more_, at_] : records@) $S += 0.1 * key_ * std::sin(value_) \
+ 0.2 * more_.back() * at_.x;
---
static const std::vector<double> kept@ = {0.3, 0.8, 0.5};
$P = std::inner_product(kept@.begin(), kept@.end(), $F, $V) * 0.3;
---
static double memory@[3];
static int filled@ = 0;
filled@ = 0;
for (int i@ = 0; i@ < 3; i@++) { memory@[filled@++] = $V * i@; $S += 0.2 * memory@[filled@ / 2]; }
"""
