import { Failure } from '@icosa/kernel'
import { parseFilter } from '../../../services/api-diagnostics/src/filter/parser.ts'
import {
  parseLabelFilter,
  parseFilter as parseStoreFilter,
} from '../../../services/configuration-stores/src/data-plane/lists/filters.ts'
import { parse } from '../../../services/event-detection/src/expressions/parse.ts'
import type { Target } from '../target.ts'

export const target: Target = {
  seeds: [
    "properties/a eq 'x' and not (b gt 5 or contains(name, 'y'))",
    'abc*,d\\*e',
    "$input.a.b > 5 && timeout('t') || ($variable.x == 'y')",
    `$\{'a' + $input.x[0]} !(true)`,
  ],
  dictionary: [
    ' and ',
    ' or ',
    'not ',
    '(',
    ')',
    "'",
    "''",
    ' eq ',
    'startswith(',
    '\\',
    '*',
    ',',
    '&&',
    '||',
    '$input.',
    '${',
    '}',
    'convert(Decimal, ',
    '[',
    ']',
  ],
  refusals: [Failure],
  maxBytes: 20_000,
  run(bytes) {
    const text = bytes.toString('utf8')
    parse(text)
    for (const read of [
      () => parseFilter(text),
      () => parseStoreFilter('key', text),
      () => parseLabelFilter('label', text),
    ])
      try {
        read()
      } catch (error) {
        if (!(error instanceof Failure)) throw error
      }
  },
}
