extern "C" [[spirea::kernel]] void plain(float* p) { p[0] = 1; }
