/** Browser script: queries an app, and draws its confusion matrix. */
export const script = `
const headerName = document.querySelector('main').dataset.header
const $ = (id) => document.getElementById(id)
async function call(path, body) {
  const headers = { [headerName]: $('key').value, ...(body && { 'content-type': 'application/json' }) }
  const response = await fetch(path, { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) })
  const result = await response.json()
  if (!response.ok) throw new Error(result.error.message)
  return result
}
const ask = (query) => call('prediction/apps/' + $('app').value + '/slots/' + $('slot').value + '/predict?verbose=true&show-all-intents=true', { query })
async function listApps() {
  const apps = await call('apps/?take=500')
  $('app').replaceChildren(...apps.map(({ id, name }) => new Option(name, id)))
  if (apps.length === 0) $('result').value = 'There is no app yet: import one.'
}
async function trySentence() {
  const { prediction } = await ask($('sentence').value)
  const intents = Object.entries(prediction.intents).sort((a, b) => b[1].score - a[1].score).slice(0, 5)
  $('result').value = intents.map(([name, { score }]) => name + ' ' + score.toFixed(3)).join('\\n') + '\\n\\n' + JSON.stringify(prediction.entities, null, 2)
}
function draw(matrix, names) {
  const canvas = $('matrix')
  const cell = Math.max(8, Math.min(48, Math.floor(900 / names.length)))
  const margin = 180
  canvas.width = canvas.height = margin + cell * names.length + 10
  const pen = canvas.getContext('2d')
  pen.font = Math.min(14, Math.max(7, cell - 4)) + 'px system-ui'
  for (const [row, expected] of names.entries()) {
    const total = Object.values(matrix[expected] ?? {}).reduce((sum, count) => sum + count, 0)
    pen.fillStyle = '#222'
    pen.textAlign = 'right'
    pen.fillText(expected.slice(0, 24), margin - 6, margin + cell * row + cell * 0.7)
    for (const [column, predicted] of names.entries()) {
      const count = matrix[expected]?.[predicted] ?? 0
      const share = total === 0 ? 0 : count / total
      pen.fillStyle = count === 0 ? '#f4f4f4' : row === column ? 'rgba(0,130,70,' + (0.15 + 0.85 * share) + ')' : 'rgba(200,40,20,' + (0.15 + 0.85 * share) + ')'
      pen.fillRect(margin + cell * column, margin + cell * row, cell - 1, cell - 1)
      if (count > 0 && cell >= 18) {
        pen.fillStyle = share > 0.5 ? '#fff' : '#222'
        pen.textAlign = 'center'
        pen.fillText(count, margin + cell * (column + 0.5), margin + cell * row + cell * 0.65)
      }
    }
    pen.save()
    pen.translate(margin + cell * (row + 0.65), margin - 6)
    pen.rotate(-Math.PI / 2)
    pen.fillStyle = '#222'
    pen.textAlign = 'left'
    pen.fillText(expected.slice(0, 24), 0, 0)
    pen.restore()
  }
}
async function testFile() {
  const [file] = $('file').files
  if (!file) return
  const content = JSON.parse(await file.text())
  const utterances = Array.isArray(content) ? content : (content.LabeledTestSetUtterances ?? content.utterances ?? [])
  const matrix = {}
  const names = new Set(utterances.map(({ intent }) => intent))
  let correct = 0
  for (const [index, { text, intent }] of utterances.entries()) {
    const { topIntent } = (await ask(text)).prediction
    names.add(topIntent)
    matrix[intent] ??= {}
    matrix[intent][topIntent] = (matrix[intent][topIntent] ?? 0) + 1
    if (topIntent === intent) correct++
    if (index % 20 === 19 || index === utterances.length - 1) {
      $('progress').value = correct + ' of ' + (index + 1) + ' correct, of ' + utterances.length
      draw(matrix, [...names].sort())
    }
  }
}
const reportingErrors = (work) => async () => {
  try { await work() } catch (error) { $('result').value = error.message }
}
$('key').addEventListener('change', reportingErrors(listApps))
$('ask').addEventListener('click', reportingErrors(trySentence))
$('file').addEventListener('change', reportingErrors(testFile))
reportingErrors(listApps)()
`
