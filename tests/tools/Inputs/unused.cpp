[[spirea::kernel]] void unused(float* p) {
  int never = 1;
  p[0] = 1;
}
