import { checkStorable, type NulSchema } from '../../db/storable.ts'
import { invalid } from '../../errors.ts'
import { limits } from '../limits.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * A body that strangers wrote, as JSON: in UTF-8, not too deep, without names that mean something to the language and
 * without text that the database cannot keep.
 */
export function parseJson(bytes: Uint8Array, schema?: NulSchema): unknown {
  const { text, value } = parse(bytes)
  // In JSON of valid UTF-8 such text can only come escaped: a look at the whole is cheaper than one at each text.
  if (escaped.test(text)) checkStorable(value, 'body', schema)
  return value
}

const escaped = /\\u(?:0000|[dD][89a-fA-F])/

function parse(bytes: Uint8Array): { readonly text: string; readonly value: unknown } {
  try {
    const text = utf8.decode(bytes)
    refuseDepth(text)
    return { text, value: text.includes('__proto__') ? JSON.parse(text, refusePrototype) : JSON.parse(text) }
  } catch (error) {
    invalid([{ at: 'body', message: `is not acceptable JSON: ${(error as Error).message}` }])
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__ is not allowed as a property name')
  return value
}

const quote = 34
const backslash = 92

/** Whatever walks through a value later does so by calling itself: too deep a value would exhaust the stack. */
function refuseDepth(text: string): void {
  if (text.length <= limits.jsonDepth) return
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === backslash) index++
      else if (code === quote) inString = false
    } else if (code === quote) inString = true
    // [ and {, ] and }: they differ in one bit
    else if ((code | 32) === 123) {
      if (++depth > limits.jsonDepth) throw new SyntaxError(`it is nested more than ${limits.jsonDepth} levels deep`)
    } else if ((code | 32) === 125) depth--
  }
}
