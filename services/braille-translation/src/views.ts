import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Language and faces',
  resources: {
    listTables: {
      title: 'Braille tables',
      about: 'A table translates a language to braille and back.',
      columns: ['name', 'language', 'grade', 'type', 'direction'],
    },
  },
}
