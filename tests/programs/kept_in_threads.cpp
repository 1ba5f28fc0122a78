// check: main
// Buffers of each thread, hash tables, windows and aligned memory that are kept, in derivatives from several threads.
#include <thread>
#include <vector>
#include <deque>
#include <unordered_map>
#include <cstdio>
#include <cmath>
#include <cstdlib>
#include <mutex>
extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
static thread_local std::vector<double> scratch;
static std::unordered_map<int,double> table;
static std::deque<double> window;
static double *aligned;
static int have;
struct alignas(64) Block { double v[8]; Block *next; };
static Block *blocks;
double f(const double *x, int n){
  scratch.assign(x, x+n);
  for (int i=0;i<n;i++) scratch[i]*=x[(i+1)%n];
  double s=0; for(double v: scratch) s+=std::sin(v);
  return s;
}
double g(const double *x, int n){
  for(int i=0;i<n;i++) table[i]=x[i]*x[i];
  window.clear();
  for(int i=0;i<n;i++){ window.push_back(x[i]*table[i]); if(window.size()>3) window.pop_front(); }
  if (have<n) { free(aligned); void*p; if (posix_memalign(&p,64,n*sizeof(double))) abort(); aligned=(double*)p; have=n; }
  for(int i=0;i<n;i++) aligned[i]=table[i]+x[i];
  if (!blocks) { blocks=new Block{}; blocks->next=new Block{}; }
  for (int i=0;i<8&&i<n;i++) { blocks->v[i]=x[i]; blocks->next->v[i]=aligned[i]*x[i]; }
  double s=0; for(double v: window) s+=v*v;
  for (int i=0;i<8&&i<n;i++) s+=blocks->v[i]*blocks->next->v[i];
  return s;
}
static int check(double (*h)(const double*,int), const char*name, int n, const double *got, const double*x){
  int bad=0; for(int i=0;i<n;i++){ double e=1e-6; std::vector<double> y(x,x+n); y[i]+=e; double up=h(y.data(),n); y[i]-=2*e; double dn=h(y.data(),n); double fd=(up-dn)/(2*e);
   if(std::fabs(fd-got[i])>1e-5*(1+std::fabs(fd))) {bad++; printf("%s %d: %g vs %g\n",name,i,got[i],fd);} }
  return bad;
}
int main(){
  int bad=0;
  for(int n: {4,9,6}){ std::vector<double> x(n), b(n), v(n), d(n); for(int i=0;i<n;i++) x[i]=0.3+0.2*i;
    for (int r=0;r<3;r++){ std::fill(b.begin(),b.end(),0); __enzyme_autodiff((void*)g,enzyme_dup,x.data(),b.data(),enzyme_const,n); bad+=check(g,"g",n,b.data(),x.data());
     for(int i=0;i<n;i++){ std::fill(v.begin(),v.end(),0); v[i]=1; d[i]=__enzyme_fwddiff((void*)g,enzyme_dup,x.data(),v.data(),enzyme_const,n);} bad+=check(g,"gd",n,d.data(),x.data()); }
  }
  std::vector<std::thread> ts; std::mutex m; 
  for(int t=0;t<4;t++) ts.emplace_back([&,t]{ for(int r=0;r<2000;r++){ int n=3+(r+t)%50; std::vector<double> x(n), b(n); for(int i=0;i<n;i++) x[i]=0.1*(i+t)+0.01*r; 
     __enzyme_autodiff((void*)f,enzyme_dup,x.data(),b.data(),enzyme_const,n); if(r%97==0){ std::lock_guard<std::mutex> l(m); bad+=check(f,"f",n,b.data(),x.data()); } } });
  for(auto&t:ts) t.join();
  printf("bad %d\n",bad); return bad;
}
