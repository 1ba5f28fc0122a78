int mixed(void);

int main(void) { return !mixed(); }
