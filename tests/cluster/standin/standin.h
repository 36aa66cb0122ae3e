/* What the two programs of a stand-in worker share. */
#pragma once

/* The trees of a scenario inside the image, as the simulator writes them, and the program `engine`.
 * Which tree a container shows is said by this variable of the pod. */
#define SCENARIO "/scenario"
#define ROOT_VARIABLE "STANDIN_ROOT"

/* The descriptor through which `launch` tells `engine` which process of the scenario it plays. */
#define ROLE_DESCRIPTOR 1000
