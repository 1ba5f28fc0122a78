// check: array n=5 flags=-stdlib=libc++
// What is printed, timed, drawn by chance or read from text has no derivative; libc++'s headers have parts of its
// streams, which call virtual functions of its buffers.
#include <chrono>
#include <iomanip>
#include <iostream>
#include <random>
#include <sstream>
#include <string>

extern "C" double objective(double *x, int n) {
  auto start = std::chrono::steady_clock::now();
  std::mt19937 engine(42);
  std::normal_distribution<double> normal(0, 1);
  std::uniform_int_distribution<int> die(0, 3);
  std::ostringstream out;
  out << std::setprecision(3) << std::fixed;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i] * (normal(engine) + die(engine));
    out << "x[" << i << "] = " << x[i] << '\n';
  }
  std::string text = out.str();
  std::cerr << text.size() << std::endl;
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (took.count() < 0) std::cout << "negative" << std::endl;
  std::istringstream in("1.5 2 word 3");
  double read = x[0], other;
  int count;
  std::string word, line;
  in >> read >> count >> word;
  getline(in, line);
  other = std::stod(line);
  return sum * read * count + (double)word.size() + other * x[1] * x[1];
}
