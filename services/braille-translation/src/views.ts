import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Language and faces',
  resources: {
    listTables: {
      title: 'Braille tables',
      about: 'A table translates a language to braille and back.',
      columns: ['name', 'language', 'grade', 'type', 'direction'],
      panels: [
        {
          title: 'Try it',
          operation: 'translateToDots',
          fields: { table: 'id' },
          ask: { text: 'Hello world' },
          show: { as: 'dots', cells: 'contents.translated' },
        },
      ],
    },
  },
  panels: [
    {
      title: 'Translate',
      operation: 'translateToDots',
      ask: { text: 'Hello world', table: '' },
      show: { as: 'dots', cells: 'contents.translated' },
    },
    {
      title: 'Back to text',
      operation: 'translateToText',
      ask: { braille: '⠓⠑⠇⠇⠕', table: '' },
      show: { as: 'code', text: 'contents.translated' },
    },
  ],
}
