import { download, extensions } from '@icosa/contract'
import { get } from '../common/contract.ts'

export const pages = extensions({
  showEvent: get('/pages/{season}/{eventCode}', {
    summary: 'Show an event as a page: bracket, ranking and schedule.',
    replies: { 200: download({ types: ['text/html'] }) },
  }),
})
