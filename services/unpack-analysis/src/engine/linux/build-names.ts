/** Writes names.json, Linux system calls of x86-64 by number, from Debian's linux-libc-dev: `node build-names.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'

const header = readFileSync('/usr/include/x86_64-linux-gnu/asm/unistd_64.h', 'utf8')
const names: string[] = []
for (const [, name = '', number] of header.matchAll(/#define __NR_(\w+) (\d+)/g)) names[Number(number)] = name
const all = Array.from(names, (name) => name ?? '')
writeFileSync(new URL('names.json', import.meta.url), `${JSON.stringify(all.join(' '))}\n`)
