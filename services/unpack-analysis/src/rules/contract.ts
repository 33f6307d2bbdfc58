import { multipart, named, Type } from '@icosa/contract'
import { api, file, maxFormBytes, YesOrNo } from '../shapes/contract.ts'

export const maxRules = 10

const rules = Type.Array(
  Type.String({ minLength: 1, maxLength: 134_000, description: 'Rules, as text or in Base64.' }),
  { minItems: 1, maxItems: maxRules },
)

const YaraRule = named('YaraRule', {
  name: Type.String(),
  meta: Type.Object({
    date: Type.String({ format: 'date' }),
    md5sum: Type.String(),
    sha256sum: Type.String(),
    sha512sum: Type.String(),
  }),
  strings: Type.Array(Type.Array(Type.String()), { description: 'Name and definition of each pattern.' }),
})

const AppliedRules = named('AppliedRules', {
  is_success: Type.Boolean(),
  yara_command: Type.String(),
  matched_yara_rules: Type.Optional(
    Type.Array(Type.Array(Type.Object({ rule: Type.String(), string_information: Type.Array(Type.String()) })), {
      description: 'Matches in the file as sent, then those in its unpacked form, if requested.',
    }),
  ),
  error_message: Type.Optional(Type.String()),
})

export const rulesContract = {
  generatePartialYaraRules: api.post('/generate-partial-yara-rules', {
    summary: 'Generate a YARA rule without a condition from strings and code that identify a program.',
    body: multipart(
      'RuleRequest',
      {
        file,
        is_unpacking_required: Type.Optional(YesOrNo),
        minimum_string_length: Type.Optional(Type.String({ pattern: '^[0-9]{1,3}$' })),
        strings_to_ignore: Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), { maxItems: 1_000 })),
      },
      { maxParts: 1_020 },
    ),
    maxBytes: maxFormBytes,
    reads: true,
    replies: { 200: named('GeneratedRule', { rule: YaraRule }) },
  }),
  applyYaraRules: api.post('/apply-yara-rules', {
    summary: 'Apply up to 10 YARA rules to a program, and to its unpacked form.',
    body: multipart('RulesToApply', { file, rules, is_unpacking_required: Type.Optional(YesOrNo) }),
    maxBytes: maxFormBytes,
    reads: true,
    replies: { 200: named('ApplyReply', { result: AppliedRules }) },
  }),
}
