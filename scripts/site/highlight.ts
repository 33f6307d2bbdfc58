import { type Html, html } from '@icosa/pages'

/** Group names are the classes of the spans. */
const quoted = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/.source
const number = /\b\d[\d_]*(?:\.\d+)?\b/.source
const words = (list: string) => `(?<keyword>\\b(?:${list.replaceAll(' ', '|')})\\b)`

const script = String.raw`(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|(?<string>${quoted}|\x60(?:[^\x60\\]|\\.)*\x60)|${words(
  'as async await break case catch class const continue declare default else export extends false finally for from function if implements import in instanceof interface let new null of readonly return switch throw true try type typeof undefined using void while',
)}|(?<number>${number})`

/** In a shell, quotes may span lines, and `#` starts a comment only after a space. */
const shell = String.raw`(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\[\s\S])*"|'[^']*')|(?<keyword>\b(?:do|done|else|export|fi|for|if|in|then|until|while)\b|(?<=^ *(?:\$ |sudo )?)[\w./][\w./-]*(?= |$))|(?<number>(?<=\s)--?[a-zA-Z][\w-]*|\$\w+|\$\{\w+)`

const languages: Readonly<Record<string, RegExp>> = {
  json: new RegExp(
    String.raw`(?<keyword>"(?:[^"\\\n]|\\.)*"(?=\s*:))|(?<string>${quoted})|(?<number>${number}|\b(?:true|false|null)\b)`,
    'g',
  ),
  js: new RegExp(script, 'g'),
  ts: new RegExp(script, 'g'),
  sh: new RegExp(shell, 'gm'),
  console: new RegExp(shell, 'gm'),
  python: new RegExp(
    `(?<comment>#.*)|(?<string>${quoted})|${words(
      'and as async await class def else except False finally for from if import in is lambda None not or pass raise return True try while with yield',
    )}|(?<number>${number})`,
    'g',
  ),
  sql: new RegExp(
    `(?<comment>--.*)|(?<string>'(?:[^']|'')*')|${words(
      'add alter and as by check column concurrently constraint create default delete desc from group in index insert into is join key not null on or order primary references returning select set table update validate values where',
    )}|(?<number>${number})`,
    'gi',
  ),
  yaml: new RegExp(
    String.raw`(?<comment>(?<=^|\s)#.*)|(?<keyword>[\w-]+(?=:(?:\s|$)))|(?<string>${quoted})|(?<number>${number})`,
    'gm',
  ),
  ini: new RegExp(String.raw`(?<comment>(?<=^|\s);.*)|(?<keyword>^\[\w+\]|^\w+(?= =))|(?<number>${number})`, 'gm'),
}

/** Code with its tokens in spans; text in an unknown language stays plain. */
export function highlight(language: string, text: string): Html[] {
  const grammar = languages[language]
  if (!grammar) return [html`${text}`]
  const parts: Html[] = []
  let end = 0
  for (const { 0: token, index, groups = {} } of text.matchAll(grammar)) {
    const [kind = ''] = Object.keys(groups).filter((name) => groups[name] !== undefined)
    parts.push(html`${text.slice(end, index)}<span class="${kind}">${token}</span>`)
    end = index + token.length
  }
  return [...parts, html`${text.slice(end)}`]
}
