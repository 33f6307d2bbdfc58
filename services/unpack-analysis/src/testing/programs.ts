/** Programs whose behaviour is known: what is packed in the tests. `seed` makes each one different. */
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
