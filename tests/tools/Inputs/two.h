#pragma once

struct Range {
  int first, step;
};
#ifndef OFFSET
#define OFFSET 1.0f
#endif
