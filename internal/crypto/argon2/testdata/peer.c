// Computes one Argon2id tag for each line on stdin, and says how many
// nanoseconds of processor time it took and what the tag is. Arguments: as in peer.cjs.
#include <argon2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv) {
	if (argc != 6) return 2;
	unsigned char tag[32];
	while (getchar() == '\n') {
		long long start = now();
		if (argon2id_hash_raw(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), argv[4], strlen(argv[4]),
				argv[5], strlen(argv[5]), tag, sizeof tag) != ARGON2_OK) return 1;
		printf("%lld ", now() - start);
		for (size_t i = 0; i < sizeof tag; i++) printf("%02x", tag[i]);
		printf("\n");
		fflush(stdout);
	}
}
