package lang

import _ "time/tzdata" // Windows has no time zones that Go reads
