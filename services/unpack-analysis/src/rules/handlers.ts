import { Failure, implement, ok, type ReadingContext } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { analysisOf } from '../samples/analyses.ts'
import { senderOf } from '../samples/sender.ts'
import { receive, type Sample } from '../samples/uploads.ts'
import { ask } from './ask.ts'
import { rulesContract as contract, maxRules } from './contract.ts'
import { countRules } from './count.ts'
import type { Applied, Generated } from './tasks.ts'

const defaultMinLength = 6
const command = 'yr scan --print-strings rules.yar sample'

export const rules = implement<typeof contract, ServiceRuntime>(contract, {
  async generatePartialYaraRules({ body }, context) {
    const {
      file,
      is_unpacking_required: unpacking,
      minimum_string_length: length,
      strings_to_ignore: ignored = [],
    } = body
    const sample = await receive(senderOf(context), file)
    const unpacked = unpacking === 'true' ? await unpackedForm(sample, context) : undefined
    if (unpacked?.why !== undefined) throw new Failure('invalid', unpacked.why)
    const minLength = Math.max(4, Number(length ?? defaultMinLength))
    const strings = await ask<Generated>(context, {
      kind: 'generate',
      file: unpacked?.content ?? file.content,
      ...(unpacked && { unpacked: { packed: file.content, code: unpacked.code } }),
      minLength,
      ignored,
    })
    const { md5, sha256, sha512 } = sample
    return ok({
      rule: {
        name: `sample_${sha256.slice(0, 12)}`,
        meta: {
          date: context.clock.now().toISOString().slice(0, 10),
          md5sum: md5,
          sha256sum: sha256,
          sha512sum: sha512,
        },
        strings: strings.map((pattern) => [...pattern]),
      },
    })
  },

  async applyYaraRules({ body: { file, rules: fields, is_unpacking_required: unpacking } }, context) {
    const sources = fields.map(ruleText)
    const count = sources.reduce((sum, source) => sum + countRules(source), 0)
    if (count > maxRules)
      throw new Failure('invalid', `body/rules has ${count} rules: at most ${maxRules} are allowed.`)
    const sample = await receive(senderOf(context), file)
    const unpacked = unpacking === 'true' ? await unpackedForm(sample, context) : undefined
    const files = [file.content, ...(unpacked?.content ? [unpacked.content] : [])]
    const outcome = await ask<Applied>(context, { kind: 'apply', sources, files })
    if ('error' in outcome)
      return ok({ result: { is_success: false, yara_command: command, error_message: outcome.error } })
    return ok({
      result: {
        is_success: unpacked?.why === undefined,
        yara_command: command,
        matched_yara_rules: outcome.matches.map((matches) => [...matches]),
        ...(unpacked?.why !== undefined && { error_message: `The file was not unpacked. ${unpacked.why}` }),
      },
    })
  },
})

/** Decodes Base64, as the original does. Rules contain braces, so they are not mistaken for Base64. */
function ruleText(field: string): string {
  const text = /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(field) ? Buffer.from(field, 'base64').toString('utf8') : ''
  return text.includes('rule') ? text : field
}

/** Returns the unpacked form of a sample, or why there is none. */
async function unpackedForm(sample: Sample, context: ReadingContext<ServiceRuntime>) {
  try {
    const { unpacked, report } = await analysisOf(sample, senderOf(context))
    return unpacked
      ? { content: unpacked, code: report.after?.code ?? [] }
      : { why: report.why ?? 'Nothing was unpacked.' }
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return { why: error.message }
    throw error
  }
}
