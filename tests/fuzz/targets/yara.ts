import { readFileSync } from 'node:fs'
import start from '@virustotal/yara-x'
import { apply } from '../../../services/unpack-analysis/src/rules/apply.ts'
import { countRules } from '../../../services/unpack-analysis/src/rules/count.ts'
import { textsIn } from '../../../services/unpack-analysis/src/rules/texts.ts'
import type { Target } from '../target.ts'

const code = new URL('yara_x_js_bg.wasm', import.meta.resolve('@virustotal/yara-x'))
await start({ module_or_path: readFileSync(code) })

const file = Buffer.from('MZ this is a program with some text \0w\0i\0d\0e\0'.repeat(4))

export const target: Target = {
  seeds: [
    'rule a { strings: $a = "program" $b = { 4D 5A ?? [2-4] } $c = /so.e/i condition: any of them }',
    'import "pe"\nimport "hash"\nrule b { condition: pe.is_pe or hash.md5(0, filesize) == "x" or uint16(0) == 0x5a4d }',
    'private rule c { meta: a = 1 strings: $x = "wide" wide ascii nocase condition: for all i in (1..#x) : (@x[i] > 0) }',
  ],
  dictionary: [
    'rule ',
    ' { condition: ',
    'strings: ',
    '$a = /',
    '.*',
    '{0,9999}',
    '(a|b)*',
    '/*',
    '//',
    '"',
    'import "math"',
    'for any i in (0..9999) : (',
    'filesize',
    '~',
    '[',
    ']',
  ],
  refusals: [],
  maxBytes: 20_000,
  run(bytes) {
    const source = bytes.toString('utf8')
    countRules(source)
    for (const _ of textsIn(bytes, 4));
    apply([source], [file])
  },
}
