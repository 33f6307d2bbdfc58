/**
 * Writes arguments.json, the functions of Windows libraries and how many arguments each pops from the stack on 32 bits, from
 * the symbols of Debian's mingw-w64 import libraries: `node build-arguments.ts`.
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const libraries =
  'kernel32 ntdll user32 advapi32 ws2_32 gdi32 shell32 ole32 wininet urlmon shlwapi psapi crypt32 winhttp iphlpapi version msvcrt'

const symbolsOf = (target: string, library: string, pattern: RegExp) =>
  execFileSync(`${target}-nm`, [`/usr/${target}/lib/lib${library}.a`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .matchAll(pattern)
    .map(([, name = '']) => name)
    .filter((name) => !/^(ord_|\?|_head)|[?$]/.test(name))

/** Functions by number of arguments; cdecl functions under `caller`. */
function table(library: string): Record<string, string> {
  const counts = new Map<string, string>()
  for (const name of symbolsOf('x86_64-w64-mingw32', library, / I __imp_(\S+)/g)) counts.set(name, 'caller')
  for (const symbol of symbolsOf('i686-w64-mingw32', library, / I __imp__(\S+)/g)) {
    const [, name = symbol, bytes] = /^(.*)@(\d+)$/.exec(symbol) ?? []
    counts.set(name, bytes === undefined ? 'caller' : String(Number(bytes) / 4))
  }
  const functions = [...counts].filter(
    ([name]) => library !== 'ntdll' || /^(Nt|Zw|Rtl|Ldr|Csr|Dbg|mem|str|wcs|_)/.test(name),
  )
  const groups = Object.groupBy(functions, ([, count]) => count)
  return Object.fromEntries(
    Object.entries(groups).map(([count, all = []]) => [
      count,
      all
        .map(([name]) => name)
        .sort()
        .join(' '),
    ]),
  )
}

const tables = Object.fromEntries(libraries.split(' ').map((library) => [library, table(library)]))
writeFileSync(new URL('arguments.json', import.meta.url), `${JSON.stringify(tables, null, 1)}\n`)
