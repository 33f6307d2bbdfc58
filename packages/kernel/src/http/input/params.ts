import type { ParamSchemas, Schema } from '@icosa/contract'
import { isStorable } from '../../db/storable.ts'
import { type Detail, invalid, notFound } from '../../errors.ts'
import { lazyValidator } from './validate.ts'

/** Refuses invalid path parameters, so that handlers need not check them. */
export type ReadParams = <Params extends object>(params: Params) => Params

export function paramsReader(schemas: ParamSchemas = {}): ReadParams {
  const rules = new Map(Object.entries(schemas).map(([name, schema]) => [name, ruleOf(schema)]))
  return (params) => {
    let details: Detail[] | undefined
    for (const name in params) {
      const text = params[name] as string
      const rule = rules.get(name)
      if (isStorable(text) && (rule === undefined || rule.fits(text))) continue
      if (rule?.noun !== undefined) notFound(rule.noun, text.slice(0, shown))
      details ??= []
      details.push({ at: `path/${name}`, message: rule?.message ?? 'must be text without NUL' })
    }
    if (details) invalid(details)
    return params
  }
}

/** Maximum length of a name in the message. */
const shown = 100

interface Described {
  readonly description?: string
  readonly 'x-icosa-noun'?: string
}

function ruleOf(schema: Schema) {
  const check = lazyValidator(schema, 'path')
  const { description, 'x-icosa-noun': noun } = schema as Described
  return {
    noun,
    fits: (text: string) => check(text).length === 0,
    message: description === undefined ? 'is not a valid name' : `must be ${description}`,
  }
}
