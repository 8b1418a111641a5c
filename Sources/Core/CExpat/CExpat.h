// expat: the elements of an XML text.
#include <expat.h>
