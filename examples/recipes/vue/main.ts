import { createApp } from 'vue';
import { order } from '../order.js';
import Cart from './Cart.vue';

createApp(Cart, { initial: order }).mount('main');
