// A PKCS#11 module that passes everything on to another one, $PKCS11_TEST_MODULE, and
// does what the file $PKCS11_TEST_FAULT says. It writes a byte to logins beside that
// file for each C_Login.
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long rv;
typedef rv (*call)();

// Numbers of functions in CK_FUNCTION_LIST, in the order of the standard.
enum { GetTokenInfo = 6, Login = 18, EncryptInit = 29, DecryptInit = 33, functions = 68 };

static struct list {
	unsigned char version[2];
	call function[functions];
} *real, ours;

static int is(const char *fault) {
	char text[32] = "";
	FILE *f = fopen(getenv("PKCS11_TEST_FAULT"), "r");
	if (f) {
		if (!fgets(text, sizeof text, f)) text[0] = 0;
		fclose(f);
	}
	return !strcmp(text, fault);
}

static rv broken(void) {
	if (is("crash")) abort();
	if (is("slow")) sleep(600);
	if (is("removed")) return 0x32;  // CKR_DEVICE_REMOVED
	if (is("error")) return 0x30;    // CKR_DEVICE_ERROR
	if (is("once")) {
		unlink(getenv("PKCS11_TEST_FAULT"));
		return 0x30;
	}
	return 0;
}

static rv get_token_info(rv slot, unsigned char *info) {
	rv r = real->function[GetTokenInfo](slot, info);
	rv *flags = (rv *)(info + 96);
	if (is("last-pin")) *flags |= 0x20000;   // CKF_USER_PIN_FINAL_TRY
	if (is("locked-pin")) *flags |= 0x40000; // CKF_USER_PIN_LOCKED
	return r;
}

static rv login(rv session, rv user, unsigned char *pin, rv size) {
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s.logins", getenv("PKCS11_TEST_FAULT"));
	FILE *f = fopen(path, "a");
	if (f) {
		fputc('x', f);
		fclose(f);
	}
	if (is("locks")) return 0xA4; // CKR_PIN_LOCKED
	if (is("login-crash")) abort();
	if (is("login-slow")) sleep(600);
	if (is("login-error")) return 0x06; // CKR_FUNCTION_FAILED
	if (is("login-removed")) return 0x32; // CKR_DEVICE_REMOVED
	return real->function[Login](session, user, pin, size);
}

static rv encrypt_init(rv session, void *mechanism, rv key) {
	rv r = broken();
	return r ? r : real->function[EncryptInit](session, mechanism, key);
}

static rv decrypt_init(rv session, void *mechanism, rv key) {
	rv r = broken();
	return r ? r : real->function[DecryptInit](session, mechanism, key);
}

rv C_GetFunctionList(struct list **out) {
	void *module = dlopen(getenv("PKCS11_TEST_MODULE"), RTLD_NOW);
	if (!module) return 5; // CKR_GENERAL_ERROR
	rv r = ((call)dlsym(module, "C_GetFunctionList"))(&real);
	if (r) return r;
	ours = *real;
	ours.function[GetTokenInfo] = (call)get_token_info;
	ours.function[Login] = (call)login;
	ours.function[EncryptInit] = (call)encrypt_init;
	ours.function[DecryptInit] = (call)decrypt_init;
	*out = &ours;
	return 0;
}
