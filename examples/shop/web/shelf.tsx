import type { Article, Shop } from '../shared/shop.ts';
import { fill, useWords } from './words.ts';

export function Shelf({ shop, onAdd }: { shop: Shop; onAdd(article: Article): void }) {
  const { words, language, money } = useWords();
  return (
    <section className="shelf">
      <h1>{words.shelf}</h1>
      <p>{words.tagline}</p>
      <ul>
        {shop.articles.map((article) => {
          const { id, name, about, picture, unit, price, step } = article;
          const action = fill(words.add[unit], { step });
          return (
            <li key={id}>
              <img src={`/pictures/${picture}`} alt="" width="480" height="300" />
              <h2>{name}</h2>
              <p>{about[language]}</p>
              {/* "0.19e2": 19.00 for 100 grams. The exponent moves the point, and the digits stay exact. */}
              <b>{money(unit === 'gram' ? `${price}e2` : price)}</b> <small>{words.prices[unit]}</small>
              <button type="button" aria-label={`${action}: ${name}`} onClick={() => onAdd(article)}>
                {action}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
