/** The class of words that were looked for, as apps of the API style it. */
export const highlightClass = 'ln-search-highlight'
