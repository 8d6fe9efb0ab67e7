import { createRoot } from 'react-dom/client';
import { order } from '../order.js';
import { Cart } from './Cart.js';

createRoot(document.querySelector('main') as Element).render(<Cart initial={order} />);
