#include "CWireShims.h"
