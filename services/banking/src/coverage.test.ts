import { coverService } from '@icosa/testing/cover'
import { banking } from './index.ts'
import { fields } from './testing/fields.ts'
import { seed } from './testing/seed.ts'

const verbs = ['create', 'list', 'get', 'update', 'delete']
const kinds = ['Bank', 'Savings', 'Joint']
const alike = [
  ...['NoteText', 'NoteAttachment'].flatMap((note) => verbs.map((verb) => new RegExp(`^${verb}${note}`))),
  ...verbs.map((verb) => new RegExp(`^${verb}(${kinds.join('|')})Accounts?$`)),
]

coverService(banking(), { seed, fields, alike })
