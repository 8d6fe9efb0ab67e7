import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Language, Sale } from '../shared/shop.ts';
import { getSale, getShop } from './api.ts';
import { Basket } from './basket.tsx';
import { newCart, restoreCart } from './cart.ts';
import { type CheckoutOptions, useCheckout } from './checkout.ts';
import { OrderStatus } from './order-status.tsx';
import { Shelf } from './shelf.tsx';
import { LanguageContext, useWords } from './words.ts';

export function App() {
  const [language, setLanguage] = useState<Language>(navigator.language.startsWith('de') ? 'de' : 'en');
  useEffect(() => void (document.documentElement.lang = language), [language]);
  const other = language === 'en' ? 'de' : 'en';
  return (
    <LanguageContext value={language}>
      <header className="sign">
        <p>Old Mill Tea</p>
        <button type="button" lang={other} onClick={() => setLanguage(other)}>
          {other === 'en' ? 'English' : 'Deutsch'}
        </button>
      </header>
      <Room />
    </LanguageContext>
  );
}

/** Shows the counter, or the order that the cart has become. */
function Room() {
  const { words } = useWords();
  const [cart, setCart] = useState(restoreCart);
  const shop = useQuery({ queryKey: ['shop'], queryFn: getShop });
  const sale = useQuery({
    queryKey: ['sale', cart.id],
    queryFn: () => getSale(cart.id),
    // Asks until the order is settled. A backend that restarts is asked again (main.tsx).
    refetchInterval: ({ state }) => state.data?.state === 'accepted' && 1000,
  });
  const queries = useQueryClient();
  const onPlaced = (placed: Sale) => queries.setQueryData(['sale', cart.id], placed);
  const options = { cart, readShop: shop.refetch, onPlaced };
  return (
    <main>
      <p role="status" className="notice">
        {shop.failureCount + sale.failureCount > 0 ? words.retrying : !shop.data && words.loading}
      </p>
      {shop.data && sale.data === null && <Counter key={cart.id} shop={shop.data} {...options} />}
      {shop.data && sale.data && <OrderStatus shop={shop.data} sale={sale.data} onAgain={() => setCart(newCart())} />}
    </main>
  );
}

function Counter(options: CheckoutOptions) {
  const { words, money } = useWords();
  const checkout = useCheckout(options);
  const total = checkout.evaluation?.totals.total;
  return (
    <div className="counter">
      <Shelf shop={options.shop} onAdd={checkout.add} />
      {/* On narrow screens, where the basket is below the shelf. */}
      <a className="to-basket" href="#basket">{`${words.basket} ${total ? money(total) : ''}`}</a>
      <Basket shop={options.shop} checkout={checkout} />
    </div>
  );
}
