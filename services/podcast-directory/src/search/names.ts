/** CSS class of highlighted search words, as in the original API. */
export const highlightClass = 'ln-search-highlight'
